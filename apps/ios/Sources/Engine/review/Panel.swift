/// One value for the shown position, from which a screen draws its bars, graph, marks, headline and buttons.
///
/// `Panel(facts)` is a function of what is known and nothing else. The end of the game beats a proof, a proof beats a table or
/// a solver, those beat a search, and a search beats the network. So no two figures of one screen contradict each other. All
/// figures are those of one named side: a chance, 0 to 1, or by how many boxes, discs or points it leads, or will lead if both
/// play perfectly.
///
/// Two moves are equal by proof, or by their figures. Then each was searched at least `leastShare` as often as the best one, and
/// they differ by at most `errors` standard errors of the difference. Rounding never makes two equal. The numbers are in
/// games/data/thresholds.json. `azx.games.review.panel` is the definition, panel.json the test.

import Foundation

/// What a screen says of the shown position; `share` is how much of the bar belongs to the side, nil if unknown.
public struct Panel: Equatable, Sendable {
    public let figure: Figure?
    public let share: Double?
    public let proven: Proven?
    /// The played move if it was not good.
    public let played: Mark?
    public let better: Better?
    /// The moves that are equally good.
    public let equal: [Int]
    public let options: [Option]
    public let headline: Headline
    public let act: Act

    public enum Unit: String, Sendable { case chance, boxes, discs, points }

    /// Where a figure comes from, the strongest first.
    public enum Source: String, Sendable { case end, rules, solved, search, network, earlier }

    /// What the sentence is about.
    public enum Headline: String, Sendable { case trying, verdict, over, won, drawn, lost, figure, unknown }

    /// The next sensible act; each screen shows one as its primary button.
    public enum Act: String, CaseIterable, Sendable {
        case play, wait, stop, pause, resume, agree, analyse, review, rematch
        case askAgain = "ask_again"
        case nextMistake = "next_mistake"
        case tryAgain = "try_again"
        case toGame = "to_game"
        case playOn = "play_on"
    }

    /// A figure for `side` in `unit`, with its spread (0 if proven) and its source.
    public struct Figure: Equatable, Sendable {
        public let side: Player
        public let unit: Unit
        public let value: Double
        public let spread: Double
        public let source: Source
    }

    /// The proven result for the figure's side, and the plies to the end if known.
    public struct Proven: Equatable, Sendable {
        public let result: Int
        public let distance: Int?
    }

    /// The played move, its verdict and the proven reason. Good moves have no mark.
    public struct Mark: Equatable, Sendable {
        public let action: Int
        public let verdict: Verdict
        public let reason: Reason?
    }

    /// A better move than the played one, and how the game goes on after it.
    public struct Better: Equatable, Sendable {
        public let action: Int
        public let line: [Int]
    }

    /// A move on the board: its figure for the side, its loss in the game's unit, its share of the visits.
    public struct Option: Equatable, Sendable {
        public let action: Int
        public let value: Double?
        public let loss: Double?
        public let share: Double
        public let isEqual: Bool
    }

    /// The side's chance of winning, 0 to 1; nil if only a lead is known.
    public var chance: Double? {
        proven.map { Double(1 + $0.result) / 2 } ?? (figure?.unit == .chance ? figure?.value : nil)
    }

    /// What each option loses against the best one in the game's unit, by action; nil if no loss is known.
    public var losses: [Int: Double]? {
        let known = options.compactMap { each in each.loss.map { (each.action, $0) } }
        return known.isEmpty ? nil : Dictionary(uniqueKeysWithValues: known)
    }

    /// The side's chance after each option, by action; nil if figures are no chances, or are of an earlier position.
    public var rates: [Int: Double]? {
        guard let figure, figure.unit == .chance, figure.source != .earlier else { return nil }
        return Dictionary(uniqueKeysWithValues: options.compactMap { each in each.value.map { (each.action, $0) } })
    }

    /// The panel of a shown position.
    public init(_ facts: PanelFacts) {
        let (proof, marked) = (facts.proof, facts.played.flatMap { $0.verdict == .good ? nil : $0 })
        figure = facts.figure(proof)
        share = figure.map { facts.share($0) }
        proven = proof.map { Proven(result: $0.result, distance: $0.distance) }
        played = marked.map { Mark(action: $0.action, verdict: $0.verdict, reason: $0.reason) }
        better = marked.flatMap { move in move.better.map { Better(action: $0, line: move.line) } }
        (options, equal) = facts.options(figure)
        headline = facts.headline(proof, isMarked: marked != nil, hasFigure: figure != nil)
        act = facts.act(hasBetter: better != nil)
    }
}

/// What is proven for the named side, and how strong the proof is.
private struct Proof {
    let result: Int
    let distance: Int?
    let source: Panel.Source
}

/// The standard error of a chance after a number of visits, with one win and one loss added.
func standardError(_ chance: Double, visits: Int) -> Double {
    let count = Double(visits + 2)
    let smooth = (chance * Double(visits) + 1) / count
    return (smooth * (1 - smooth) / count).squareRoot()
}

extension PanelFacts {
    /// Turns a figure of the mover to one of the named side.
    private var turn: Int { mover == side ? 1 : -1 }
    /// Turns a figure of player 0 to one of the named side.
    private var seen: Int { side == 0 ? 1 : -1 }

    private func own(_ chance: Double) -> Double { turn == 1 ? chance : 1 - chance }

    /// The strongest proof.
    fileprivate var proof: Proof? {
        if let end { return Proof(result: seen * end.result, distance: 0, source: .end) }
        if let result = known?.result { return Proof(result: turn * result, distance: result == 1 ? 1 : 2, source: .rules) }
        if let margin = known?.margin { return Proof(result: turn * margin.signum(), distance: distance, source: .solved) }
        if let result = search?.proven { return Proof(result: turn * result, distance: distance, source: .rules) }
        return known?.outcome.map { Proof(result: turn * $0, distance: distance, source: .solved) }
    }

    fileprivate func figure(_ proof: Proof?) -> Panel.Figure? {
        if let proof {
            let lead = if let end { end.lead.map { Double(seen) * $0 } } else { known?.margin.map { Double(turn * $0) } }
            // A game that was given up, or whose result a record tells, may be lost with a lead.
            if let lead, unit != .chance, sign(lead) == proof.result {
                return Panel.Figure(side: side, unit: unit, value: lead, spread: 0, source: proof.source)
            }
            return Panel.Figure(side: side, unit: .chance, value: Double(1 + proof.result) / 2, spread: 0, source: proof.source)
        }
        if let points, unit != .chance {
            let mean = Double(seen) * points.mean
            return Panel.Figure(side: side, unit: .points, value: mean, spread: points.spread, source: .search)
        }
        if let chance = search?.chance { return guess(own(chance), of: chance, search?.candidates.first?.visits ?? 0, .search) }
        if let network { return guess(own(network), of: network, 0, .network) }
        return earlier.map { guess($0, of: $0, 0, .earlier) }
    }

    private func guess(_ value: Double, of chance: Double, _ visits: Int, _ source: Panel.Source) -> Panel.Figure {
        Panel.Figure(
            side: side, unit: .chance, value: value, spread: standardError(chance, visits: visits), source: source)
    }

    private func sign(_ number: Double) -> Int { number > 0 ? 1 : number < 0 ? -1 : 0 }

    fileprivate func share(_ figure: Panel.Figure) -> Double {
        let share = figure.unit == .chance ? figure.value : 0.5 + figure.value / (2 * scale)
        return min(1, max(0, share))
    }

    /// The candidates in figures of the named side, and the moves that are equally good.
    fileprivate func options(_ figure: Panel.Figure?) -> ([Panel.Option], equal: [Int]) {
        if end != nil { return ([], []) }
        let (candidates, equal) = (search?.candidates ?? [], equal)
        let total = Double(max(1, candidates.reduce(0) { $0 + $1.visits }))
        let options = candidates.map { each in
            Panel.Option(
                action: each.action, value: figure.flatMap { worth(each, $0) }, loss: each.loss,
                share: Double(each.visits) / total, isEqual: equal.contains(each.action))
        }
        return (options, equal)
    }

    /// The proven result for the mover, and the moves that keep it.
    private var kept: (result: Int, left: [Int])? {
        guard let known, let result = known.result ?? known.margin ?? known.outcome else { return nil }
        return (result.signum(), known.left)
    }

    private var equal: [Int] {
        // Nothing tells which move of a lost position holds out longest, unless it is counted.
        if let kept { return kept.result >= 0 || known?.margin != nil ? kept.left : [] }
        guard let search, let first = search.candidates.first else { return [] }
        return search.candidates.filter { isEqual($0, first, hasValue: search.chance != nil) }.map(\.action)
    }

    private func isEqual(_ one: Candidate, _ first: Candidate, hasValue: Bool) -> Bool {
        let limits = Tables.thresholds.equal
        if one.action == first.action { return true }
        if one.loss ?? 0 > first.loss ?? 0 { return false }
        if !hasValue { return one.visits == first.visits }
        if Double(one.visits) < limits.leastShare * Double(first.visits) { return false }
        let error = hypot(standardError(one.winRate, visits: one.visits), standardError(first.winRate, visits: first.visits))
        return abs(one.winRate - first.winRate) <= limits.errors * error
    }

    /// The figure of a move for the named side; no move is worth more to the mover than the position.
    private func worth(_ each: Candidate, _ figure: Panel.Figure) -> Double? {
        if figure.unit != .chance { return each.loss.map { figure.value - Double(turn) * $0 } }
        let (best, kept) = (own(figure.value), kept)
        if let kept, kept.left.contains(each.action) { return figure.value }
        // A move that gives a draw away is lost, one that gives a win away is a draw at most. A win in one may come again.
        let most = kept == nil || known?.result != nil ? best : max(0, best - 0.5)
        return own(min(each.winRate, most))
    }

    fileprivate func headline(_ proof: Proof?, isMarked: Bool, hasFigure: Bool) -> Panel.Headline {
        if moment.isTrying { return .trying }
        if isMarked { return .verdict }
        if end != nil { return .over }
        if let proof { return proof.result > 0 ? .won : proof.result < 0 ? .lost : .drawn }
        return hasFigure ? .figure : .unknown
    }

    fileprivate func act(hasBetter: Bool) -> Panel.Act {
        if moment.isBusy { return .stop }
        return moment.isReplay ? actInReplay(hasBetter) : actInPlay
    }

    private var actInPlay: Panel.Act {
        switch moment.phase {
        case .scoring: .agree
        case .read: .review
        case .over: moment.canReview ? .review : .rematch
        case _ where moment.isWatched: moment.isPaused ? .resume : .pause
        case .yours: .play
        case .theirs: moment.isStuck ? .askAgain : moment.hasNetwork ? .stop : .wait
        }
    }

    private func actInReplay(_ hasBetter: Bool) -> Panel.Act {
        if moment.isTrying { return .toGame }
        if hasBetter, played?.verdict.isMistake == true { return .tryAgain }
        if moment.hasMistakes { return .nextMistake }
        if moment.canReview, !moment.isReviewed { return .analyse }
        return end == nil ? .playOn : .rematch
    }
}
