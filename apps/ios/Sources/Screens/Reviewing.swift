import AzxDrawing
import AzxEngine
import AzxPlay

/// What a screen shows of a reviewed game: counts, accuracy, and the progress of the analysis.
public struct Reviewing: Equatable, Sendable {
    /// A line of the table of counts, with a figure for each side.
    public struct Row: Equatable, Identifiable, Sendable {
        public let title: Phrase
        public let figures: [Phrase.Part]

        public var id: String { title.key }
    }

    /// How many positions were analysed, or that no mistake was found; nil before an analysis.
    public let status: Phrase?
    /// How much of the game was analysed, 0 to 1.
    public let progress: Double
    public let isAnalysing: Bool
    public let canAnalyse: Bool
    /// Whether live analysis of the shown position can be turned on.
    public let offersLive: Bool
    /// The names of both sides.
    public let sides: [Phrase.Part]
    /// None if no move was judged.
    public let rows: [Row]
}

extension Table {
    /// The review of the game; nil while the game is under way, and for a network without a value.
    public func review(_ presentation: Presentation, hasValue: Bool) -> Reviewing? {
        if !hasValue || !(isReplay || session.phase == .over) { return nil }
        let (review, analysed) = (session.review, session.analysed)
        let isDone = session.isAnalysed && !review.moves.isEmpty
        let status =
            isDone
            ? (hasMistakes ? nil : Phrase("no_mistakes"))
            : analysed.done == 0 ? nil : Phrase("analysed_of", .whole(analysed.done), .whole(analysed.all))
        return Reviewing(
            status: status, progress: Double(analysed.done) / Double(analysed.all),
            isAnalysing: isAnalysing, canAnalyse: !isAnalysing && !session.isAnalysed,
            offersLive: isReplay, sides: session.hasPerson
                ? [.words("you"), .words("ai")] : [0, 1].map { presentation.player($0, session.names) },
            rows: review.moves.isEmpty ? [] : rows(review))
    }

    /// The sentence about the shown position; nil if there is none. It tells a mistake that is tried again, the verdict of the last
    /// move, or who wins if both play perfectly.
    public func sentence(_ presentation: Presentation) -> Phrase? {
        if let tried { return tried }
        if !isReplay { return nil }
        let panel = panel
        return verdict ?? ([.won, .drawn, .lost].contains(panel.headline) ? lead(displayed, panel, presentation) : nil)
    }

    /// "Column 4: blunder, 45 % lost. Better: column 3.", or the proven reason or the lost boxes in place of the loss.
    private var verdict: Phrase? {
        guard isReplay, line == nil, let judged = session.judged else { return nil }
        let state = session.states[session.ply - 1]
        let (name, called) = (Phrase.Part.opening(move(judged.action, state)), Phrase.Part.phrase(judged.verdict.phrase))
        guard let better = judged.better else { return Phrase("verdict_move", name, called) }
        guard let why = because(judged, state) else {
            return Phrase("verdict_better", name, called, .phrase(.percent(judged.loss)), move(better, state))
        }
        return Phrase("verdict_reason", name, called, .phrase(why), move(better, state))
    }

    /// The sentence about a mistake that is tried again, or about the last try; nil without one.
    var tried: Phrase? {
        guard let retry else { return nil }
        let (mistake, state) = (retry.mistake, session.visible)
        switch retry.last {
        case .none: return Phrase("retry_ask", move(mistake.action, state))
        case .same: return Phrase("retry_same", .opening(move(mistake.action, state)))
        case .waiting(let action): return Phrase("retry_wait", move(action, state))
        case .judged(let judged): return sentence(judged, instead: mistake.better, state)
        }
    }

    /// The value of a try; a review would have played the action `better`.
    private func sentence(_ judged: JudgedMove, instead better: Int?, _ state: any State) -> Phrase {
        let name = Phrase.Part.opening(move(judged.action, state))
        if judged.verdict == .good {
            guard let better, better != judged.action else { return Phrase("retry_best", name) }
            return Phrase("retry_good", name, move(better, state))
        }
        if let why = because(judged, state) { return Phrase("retry_because", name, .phrase(why)) }
        return Phrase("retry_loses", name, .phrase(.percent(judged.loss)))
    }

    private func because(_ judged: JudgedMove, _ state: any State) -> Phrase? {
        if let reason = judged.reason {
            let won = reason.code == .missedWin ? [] : [move(reason.action, state)]
            return Phrase("because_\(reason.code.rawValue)", won)
        }
        return judged.margin.flatMap { $0 == 0 ? nil : Phrase("loses_\(judged.unit.rawValue)", .whole($0)) }
    }

    /// A row for each bad verdict, and one for the accuracy; the person first, or the player who began.
    private func rows(_ review: Review) -> [Reviewing.Row] {
        let players = [session.side, other(session.side)]
        let counts = [("inaccuracies", Verdict.inaccuracy), ("mistakes", .mistake), ("blunders", .blunder)]
        let rates = players.map { player -> Phrase.Part in
            .phrase(review.accuracy(of: player).map { .percent($0 / 100) } ?? Phrase("unknown"))
        }
        return counts.map { key, verdict in
            Reviewing.Row(title: Phrase(key), figures: players.map { .whole(review.count(verdict, of: $0)) })
        } + [Reviewing.Row(title: Phrase("accuracy"), figures: rates)]
    }

    /// The place in a replay: the move and their number, or the length of a line of the person's own.
    public var place: Phrase {
        if let line { return Phrase("line_of", .whole(line.length), .whole(session.number(at: line.from))) }
        return session.place
    }
}

extension Session {
    /// The number of the shown move, and of all moves.
    public var place: Phrase { Phrase("move_of", .whole(number(at: ply)), .whole(number(at: moves))) }
}

extension Verdict {
    public var phrase: Phrase { Phrase("verdict_\(rawValue)") }
}
