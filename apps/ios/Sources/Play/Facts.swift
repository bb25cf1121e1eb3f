/// What is known of the position that a session shows, and of each position of its graph, as facts of a panel.

import AzxEngine

/// What searches have found of the shown position, beside what the session remembers.
struct Findings {
    /// A hint or a live analysis.
    var found: Analysis?
    /// What its moves gain or lose against the best one, in the game's unit.
    var points: [Int: Int]?
    /// Player 0's lead, as random games or agreed dead stones give it.
    var lead: PanelFacts.Lead?
    /// The mover's chance as the network alone sees it.
    var network: Double?
    /// The network's thought about its own move.
    var thinking: Progress?
}

extension Session {
    /// The facts of the position that is shown.
    func facts(_ findings: Findings = Findings()) -> PanelFacts {
        var facts = facts(at: ply)
        let seen = findings.found?.seen ?? seen[ply]
        facts.known = seen?.known
        facts.search = findings.found?.searched(findings.points) ?? findings.thinking?.searched
        facts.search = facts.search ?? seen.map { PanelFacts.Searched(chance: $0.chance) }
        (facts.points, facts.network) = (findings.lead, findings.network)
        facts.earlier = chanceShown
        return facts
    }

    /// What the rules and the end of the game say after a number of moves.
    private func facts(at moves: Int) -> PanelFacts {
        let state = states[moves]
        var facts = PanelFacts(side: side, mover: state.toMove)
        (facts.unit, facts.scale) = currency(of: state)
        facts.end = end(at: moves)
        return facts
    }

    private func end(at moves: Int) -> PanelFacts.End? {
        if moves != self.moves || phase != .over { return nil }
        return PanelFacts.End(result: side == 0 ? result : -result, lead: leadAtEnd)
    }

    /// Player 0's lead at the end; nil if nothing was counted.
    private var leadAtEnd: Double? {
        if !isCounted { return nil }
        if let state = latest as? any CountedState { return Double(state.score()) }
        return (latest as? Go)?.score(without: dead)
    }

    /// A point of the graph: after how many moves, how much of the height belongs to `side`, and in which unit.
    public struct GraphPoint: Equatable, Sendable {
        public let moves: Int
        public let share: Double
        public let unit: Panel.Unit
    }

    /// The graph of the game, with the figure of `shown` in place of what was known of its position. Chances and counts
    /// have no scale in common: the graph has the points of the kind that most positions have.
    public func graph(_ shown: Panel) -> [GraphPoint] {
        var points: [Int: GraphPoint] = [:]
        let add = { (moves: Int, panel: Panel) in
            guard let figure = panel.figure, let share = panel.share else { return }
            points[moves] = GraphPoint(moves: moves, share: share, unit: figure.unit)
        }
        for (moves, chance) in curve() {
            var facts = facts(at: moves)
            (facts.known, facts.earlier) = (seen[moves]?.known, chance)
            add(moves, Panel(facts))
        }
        if shown.figure?.source != .earlier { add(ply, shown) }
        let all = points.values.sorted { $0.moves < $1.moves }
        let counted = all.filter { $0.unit != .chance }
        let unit = 2 * counted.count < all.count ? Panel.Unit.chance : counted.first?.unit
        return all.filter { $0.unit == unit }
    }
}

/// What a game is counted in, and the lead that fills a bar.
private func currency(of state: any State) -> (Panel.Unit, Double) {
    switch state {
    case let state as DotsAndBoxes: (.boxes, Double(state.owners.count))
    case let state as Reversi: (.discs, Double(state.cells.count))
    case let state as Go: (.points, Double(state.cells.count))
    default: (.chance, 1)
    }
}

extension Analysis {
    func searched(_ points: [Int: Int]?) -> PanelFacts.Searched {
        let rows = zip(candidates, lines).map { each, line in
            PanelFacts.Candidate(
                each.action, visits: each.visits, winRate: each.winRate, line: line,
                loss: points?[each.action].map { Double(max(0, -$0)) })
        }
        return PanelFacts.Searched(chance: seen?.chance, rows)
    }
}

extension Progress {
    var searched: PanelFacts.Searched? {
        winRate.map { PanelFacts.Searched(chance: $0, proven: proven ? Int((2 * $0 - 1).rounded()) : nil) }
    }
}
