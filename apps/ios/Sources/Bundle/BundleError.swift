/// Why a bundle cannot be used: one sentence that a player can read.
public struct BundleError: Error, Equatable, CustomStringConvertible {
    public let sentence: String

    public init(_ sentence: String) {
        self.sentence = sentence
    }

    public var description: String { sentence }
}
