/// How a network is searched, as the member `search` of its bundle's manifest says it.
///
///     {"root": {"kind": "gumbel", "considered": 16, "c_visit": 50, "c_scale": 0.1}}
///     {"root": {"kind": "puct"}, "c_init": 1.5, "first_play": 0.2, "early_stop": true}
///     {"root": {"kind": "puct"}, "lower_bound": 5}
///
/// Without the member, and with {"root": {"kind": "puct"}}, the search is the usual one. A reader refuses settings that it does
/// not know: without them it would play another search under the same name. docs/search.md explains the numbers.
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
    /// The start of PUCT's C.
    public var cInit = 1.25
    /// The value of a move without a visit is its parent's less this; nil counts it as a draw.
    public var firstPlay: Double?
    /// Whether a search ends once no other move can be visited as often as the leader (`EarlyStop`).
    public var earlyStop = false
    /// The number of standard errors that are subtracted from a move's mean, to play the move with the largest rest
    /// (`LowerBound`); nil plays the most visited one.
    public var lowerBound: Double?

    /// Whether the most visited move is played: only then can `earlyStop` know it before the end.
    var choosesByVisits: Bool { root == nil && lowerBound == nil }

    /// The usual search.
    public init() {}

    /// The settings of a member `search` without a `fault`, or of null.
    public init(_ search: Json) {
        cInit = search["c_init"].number ?? cInit
        firstPlay = search["first_play"].number
        earlyStop = search["early_stop"] == .bool(true)
        lowerBound = search["lower_bound"].number
        guard search["root"]["kind"] == .text("gumbel") else { return }
        var gumbel = Gumbel()
        gumbel.considered = search["root"]["considered"].whole ?? gumbel.considered
        gumbel.visit = search["root"]["c_visit"].number ?? gumbel.visit
        gumbel.scale = search["root"]["c_scale"].number ?? gumbel.scale
        root = gumbel
    }

    /// The first place at which the member `search` is unknown or wrong, such as "root.kind"; nil if there is none.
    ///
    /// The order is the kind, the known members in their order, then unknown names by alphabet; the root's before the others.
    public static func fault(in search: Json) -> String? {
        guard let members = search.members, let root = search["root"].members else { return "root" }
        guard let kind = search["root"]["kind"].text, let known = ofRoot[kind] else { return "root.kind" }
        if let name = fault(among: root, beside: "kind", known) { return "root.\(name)" }
        return fault(among: members, beside: "root", besideRoot)
    }

    /// The first of the `known` members that is outside its limits, else the first unknown one that is not called `beside`.
    private static func fault(among members: [String: Json], beside: String, _ known: [Member]) -> String? {
        let names = [beside] + known.map(\.name)
        let bad = known.first { known in members[known.name].map { !known.holds($0) } ?? false }?.name
        return bad ?? members.keys.filter { !names.contains($0) }.min()
    }

    private struct Member {
        let name: String
        let holds: @Sendable (Json) -> Bool

        static func number(_ name: String, _ within: ClosedRange<Double>, isWhole: Bool = false) -> Member {
            Member(name: name) { value in
                guard let number = value.number, within.contains(number) else { return false }
                return !isWhole || value.whole != nil
            }
        }
    }

    /// Those beside the root.
    private static let besideRoot: [Member] = [
        .number("c_init", 0...1e3), .number("first_play", 0...2),
        Member(name: "early_stop") { $0 == .bool(true) || $0 == .bool(false) },
        .number("lower_bound", 0...100),
    ]

    /// Those of a root of each kind.
    private static let ofRoot: [String: [Member]] = [
        "puct": [],
        "gumbel": [
            .number("considered", 1...1000, isWhole: true), .number("c_visit", 0...1e6), .number("c_scale", 0...1e6),
        ],
    ]
}
