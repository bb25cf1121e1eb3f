/// The end of a game of Dots and Boxes, solved: by how many boxes the player to move wins if both play perfectly.

extension Solved {
    /// With more open edges than this a position is not solved: of twenty there are a million sets.
    private static let mostOpen = Tables.thresholds.solvedEdges

    /// How the game ends; nil with more than `mostOpen` open edges.
    init?(_ state: DotsAndBoxes) {
        let edges = state.edges.indices.filter { state.edges[$0] == 0 }
        if edges.count > Self.mostOpen { return nil }
        let lead = state.toMove == 0 ? state.score() : -state.score()
        let places = Dictionary(uniqueKeysWithValues: edges.enumerated().map { ($0.element, $0.offset) })
        let leads = Leads(
            edges.map { edge in
                state.boxesBeside(edge).map { sides in sides.compactMap { places[$0] }.reduce(0) { $0 | 1 << $1 } }
            })
        if state.mustPass {
            (margin, best) = (lead - leads.whole, state.legalActions())
        } else {
            margin = lead + leads.whole
            best = edges.indices.filter { leads.play($0, leads.all) == leads.whole }.map { edges[$0] }
        }
    }
}

/// For each set of open edges: the boxes by which the player to move gets ahead.
private struct Leads {
    /// The boxes beside each open edge, as sets of their open edges.
    private let boxes: [[Int]]
    private var leads: [Int8]

    init(_ boxes: [[Int]]) {
        self.boxes = boxes
        leads = Array(repeating: 0, count: 1 << boxes.count)
        for left in leads.indices.dropFirst() {
            var best = Int.min
            for at in boxes.indices where left >> at & 1 == 1 { best = max(best, play(at, left)) }
            leads[left] = Int8(best)
        }
    }

    /// The set of all edges.
    var all: Int { leads.count - 1 }
    /// With all of the edges open.
    var whole: Int { Int(leads[all]) }

    /// The boxes by which a player gets ahead who plays edge `at` of those that are `left`; completing a box gives another move.
    func play(_ at: Int, _ left: Int) -> Int {
        let rest = left ^ (1 << at)
        var completed = 0
        for box in boxes[at] where box & rest == 0 { completed += 1 }
        return completed > 0 ? completed + Int(leads[rest]) : -Int(leads[rest])
    }
}
