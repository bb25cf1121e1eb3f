/// Why a bundle cannot be used: the key of a sentence of apps/texts, and the texts in its places. An app shows it in its
/// language.
public struct BundleError: Error, Equatable, CustomStringConvertible {
    public let key: String
    public let places: [String]

    public init(_ key: String, _ places: String...) {
        self.key = key
        self.places = places
    }

    /// For logs.
    public var description: String { "\(key) \(places)" }
}

/// A sentence without its full stop, as a part of another one.
func clause(_ sentence: String) -> String { sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence }

/// A bundle was to be played, and cannot be.
public struct Unplayable: Error, Equatable {
    public let bundle: String
    public let problems: [Problem]
}
