/// How a network is searched, as the member `search` of its bundle's manifest says it.
///
///     {"root": {"kind": "gumbel", "considered": 16, "c_visit": 50, "c_scale": 0.1}}
///
/// Without the member, and with {"root": {"kind": "puct"}}, a search is as it always was. What a reader does not know it
/// refuses: a setting that is passed over would be another search, played as if it were this one. docs/search.md says
/// what the numbers do.
public struct SearchSettings: Equatable, Sendable {
    /// A root whose simulations are shared out by sequential halving among the `considered` most promising moves.
    public struct Gumbel: Equatable, Sendable {
        public var considered = 16
        public var visit = 50.0
        public var scale = 0.1

        public init() {}
    }

    /// nil: PUCT at the root as everywhere.
    public var root: Gumbel?

    /// The usual search.
    public init() {}

    /// The settings of a member `search` in which there is no fault, or which is null.
    public init(_ search: Json) {
        guard search["root"]["kind"] == .text("gumbel") else { return }
        var gumbel = Gumbel()
        gumbel.considered = search["root"]["considered"].whole ?? gumbel.considered
        gumbel.visit = search["root"]["c_visit"].number ?? gumbel.visit
        gumbel.scale = search["root"]["c_scale"].number ?? gumbel.scale
        root = gumbel
    }

    /// Where the member `search` says what is not known here, such as "root.kind"; nil where all is known.
    ///
    /// Of several places the first: the kind, the numbers in their order, then unknown names in the order of their
    /// letters.
    public static func fault(in search: Json) -> String? {
        guard let members = search.members, let root = search["root"].members else { return "root" }
        guard let kind = search["root"]["kind"].text, let numbers = numbers[kind] else { return "root.kind" }
        let known = ["kind"] + numbers.map(\.name)
        let bad = numbers.first { limits in root[limits.name].map { !limits.holds($0) } ?? false }?.name
        if let name = bad ?? root.keys.filter({ !known.contains($0) }).min() { return "root.\(name)" }
        return members.keys.filter { $0 != "root" }.min()
    }

    private struct Limits {
        let name: String
        let within: ClosedRange<Double>
        var isWhole = false

        func holds(_ value: Json) -> Bool {
            guard let number = value.number, within.contains(number) else { return false }
            return !isWhole || value.whole != nil
        }
    }

    /// The numbers of a root of each kind.
    private static let numbers: [String: [Limits]] = [
        "puct": [],
        "gumbel": [
            Limits(name: "considered", within: 1...1000, isWhole: true), Limits(name: "c_visit", within: 0...1e6),
            Limits(name: "c_scale", within: 0...1e6),
        ],
    ]
}
