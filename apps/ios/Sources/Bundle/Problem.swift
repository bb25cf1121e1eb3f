import AzxEngine

/// Why an app cannot play or test a bundle: a code, and what stands in the places of its text, `problem_<code>` of
/// apps/texts. A newer azx may have codes that this app has no text for.
public struct Problem: Encodable, Hashable, Sendable {
    public let code: String
    public let places: [String]

    init(_ code: String, _ places: String...) {
        self.code = code
        self.places = places
    }

    private init?(_ data: Json) {
        guard let code = data["code"].text, let places = data["places"].list(of: \.text) else { return nil }
        self.code = code
        self.places = places
    }

    /// The problems that an index or a manifest lists, none if the list is missing; nil if `data` is no such list.
    static func list(_ data: Json) -> [Problem]? { data.isNull ? [] : data.list(of: Problem.init) }

    /// The problems of several lists, of each code the first.
    static func union(_ lists: [Problem]...) -> [Problem] {
        var codes: Set<String> = []
        return lists.joined().filter { codes.insert($0.code).inserted }
    }
}
