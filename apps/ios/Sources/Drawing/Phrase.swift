/// A text of the app's string catalog, by its key, with the values of its places. An app shows it in its language.
///
/// Keys and texts are the Android app's.
public struct Phrase: Hashable, Sendable {
    public enum Part: Hashable, Sendable {
        case whole(Int)
        /// A number that a language writes in its own way, with a fraction if it has one.
        case number(Double)
        case text(String)
        case phrase(Phrase)
        /// One at the beginning of a sentence, which some languages write with a capital.
        indirect case opening(Part)
        /// Several things, between them the catalog's comma.
        case list([Part])

        /// A phrase.
        public static func words(_ key: String, _ parts: Part...) -> Part { .phrase(Phrase(key, parts)) }
    }

    public let key: String
    public let parts: [Part]

    public init(_ key: String, _ parts: Part...) {
        self.init(key, parts)
    }

    public init(_ key: String, _ parts: [Part]) {
        self.key = key
        self.parts = parts
    }

    /// The beginning of the key of a bundle's problem; its code follows.
    public static let problem = "problem_"

    /// The phrase to use if the catalog lacks the key: a newer azx may have problems that this app does not know.
    public var substitute: Phrase? {
        guard key.hasPrefix(Self.problem), key != "problem_unknown" else { return nil }
        return Phrase("problem_unknown", .text(String(key.dropFirst(Self.problem.count))))
    }

    /// A share from 0 to 1.
    public static func percent(_ share: Double) -> Phrase {
        Phrase("percent", .whole(Int((100 * share).rounded())))
    }
}
