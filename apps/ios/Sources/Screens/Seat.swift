import AzxBundle
import AzxDrawing
import AzxEngine
import AzxPlay
import Foundation
import Observation

/// A person's place at a table: what fingers, pointers and keys do at the board, what moves on it, and what the screen says.
@MainActor
@Observable
public final class Seat {
    public let table: Table
    /// The spot under a finger or a pointer, on which a move would be made; nil beside the board.
    public private(set) var touched: Int?
    /// The spot that the keys have reached; nil while no key is used.
    public private(set) var cursor: Int?
    /// The choices for a new game while a person is asked for them; nil otherwise.
    public var terms: Choices?
    /// The two networks of a new game while it is asked for; nil if no networks can be chosen.
    public var sides: SeriesChoice?
    /// The bundles that can play on this board, the open one first; empty until they are known.
    public internal(set) var players: [Installed] = []
    /// The position that the slider showed last; nil before it was used.
    private(set) var slid: Int?
    /// The tab that a phone shows, kept when it is turned.
    public var tab = Tab.moves
    /// The number of illegal moves that a person tried.
    public private(set) var refusals = 0
    /// The number of moves that a hand feels: all of a game that is played here, none of a watched one.
    public private(set) var felt = 0
    /// The tone of the last moves; nil before the first.
    public private(set) var heard: HeardTone?
    /// The moves that the board animates, and when each began.
    private var motions: [(motion: Motion, since: Date)] = []
    /// What a screen reader says of the move just made, and of the row that wins by it; empty if no move is news.
    private var moved: [Phrase.Part] = []
    /// Whether moves appear at once, for a person who asks the system for less motion.
    @ObservationIgnored public var isStill = false
    /// The spot that keys and fingers have reached, shown or not.
    @ObservationIgnored private var reached = 0
    /// The presentation of the game that is played here, whatever an index says of its bundle.
    @ObservationIgnored public let presentation: Presentation
    @ObservationIgnored private let hasPolicy: Bool
    @ObservationIgnored private let now: () -> Date
    @ObservationIgnored private var landing: Task<Void, Never>?

    /// Without a policy the network has no hint to give; `now` is for tests.
    public init(
        _ table: Table, _ presentation: Presentation, hasPolicy: Bool = true, now: @escaping () -> Date = { Date() }
    ) {
        self.table = table
        self.presentation = presentation
        self.hasPolicy = hasPolicy
        self.now = now
        table.watcher = { [weak self] before, after in self?.follow(before, after) }
    }

    // MARK: What is seen

    public var isMoving: Bool { !motions.isEmpty }

    /// The board at a time, with what moves on it; nil for a game without a board.
    public func board(at time: Date) -> (any Board)? {
        let moving = motions.map { (motion: $0.motion, after: max(0, time.timeIntervalSince($0.since))) }
        return table.board(
            touched: touched, cursor: cursor, falls: moving.compactMap { $0.motion.fall(after: $0.after) },
            arrivals: moving.compactMap { $0.motion.arrival(after: $0.after) })
    }

    /// What the screen says below the board: a notice, the score or the captures, that games are not saved, and why the network thinks
    /// less.
    public var asides: [Phrase] {
        let outcome = table.outcome(presentation)
        // The card at the end says how the game ended.
        let said = outcome != nil && table.notice == .resigned ? nil : table.notice
        let notice = said.map { sentence($0, table.displayed.visible) }
        // While the dead stones are not agreed on there is no score yet.
        let counted = table.isScoring || outcome != nil ? [] : summary(table.displayed, table.displayed.visible)
        return [notice, told].compactMap { $0 } + counted + [table.trouble.map(sentence), sentence(table.warmthFelt)].compactMap { $0 }
    }

    /// The result that a record gives, at the end of the game.
    private var told: Phrase? {
        guard table.isAtEnd, case .told(let result, _) = table.session.ending else { return nil }
        return Phrase("record_tells", .text(result))
    }

    /// React to another position on the board: a move that leads to it from the one before is news, and is animated.
    private func follow(_ before: Session, _ after: Session) {
        if after.moves > before.moves, after.hasPerson { felt += 1 }
        if let tone = Tone(from: before, to: after) { heard = HeardTone(tone: tone, count: (heard?.count ?? 0) + 1) }
        // After an undo the last move is no news, and could not have been played before.
        guard after.ply > before.ply, let last = after.lastMove, before.visible.whyIllegal(last) == nil else {
            landing?.cancel()
            (motions, moved) = ([], [])
            return
        }
        let row = winningRow(after.visible).map { Phrase.Part.phrase($0) }
        moved = [table.board?.announcement(of: last), row].compactMap { $0 }
        // A pass has no place on the board.
        if !isStill, last != (after.visible as? Go)?.pass { begin(Motion(of: last, after.visible)) }
    }

    /// Let a piece move, a disc once the one before has landed: the network's answer does not cut a person's disc short.
    private func begin(_ motion: Motion) {
        let ends = motion.falls ? motions.map { $0.since + $0.motion.seconds } : []
        let since = max(now(), ends.max() ?? now())
        motions.append((motion, since))
        landing?.cancel()
        landing = Task {
            try? await Task.sleep(for: .seconds(since.timeIntervalSince(now()) + motion.seconds))
            if !Task.isCancelled { motions = [] }
        }
    }

    /// Whether the board takes moves, of the game or tried out, or marks of dead stones.
    private var isOpen: Bool { table.canPlay || table.isScoring || table.canTry }

    /// Show the position after `moves` moves, by the slider.
    public func slide(to moves: Int) {
        table.show(at: moves)
        slid = table.session.ply
    }

    // MARK: Fingers and pointers

    /// A finger or a pointer is at a point of the board; nil if it is at none.
    public func touch(_ point: AzxDrawing.Point?) {
        let spot = point.flatMap { table.board?.spot(at: $0) }
        if spot != touched { touched = spot }
    }

    /// The magnified part that a `finger` hides, on boards with small points. `fit` is how the board lies in its view of `width` points,
    /// and `above` the points between the view and the screen's edge.
    public func lens(_ fit: Fit, finger: AzxDrawing.Point, width: Double, above: Double) -> Lens? {
        guard let touched, isOpen, let board = table.board else { return nil }
        return Lens(board, fit, spot: touched, finger: finger, width: width, above: above)
    }

    /// Play the spot at which a finger is lifted; beside the board, play nothing.
    public func lift(at point: AzxDrawing.Point) {
        (touched, cursor) = (nil, nil)
        guard let spot = table.board?.spot(at: point) else { return }
        reached = spot
        choose(spot)
    }

    /// Play a spot, or say why that is impossible.
    public func choose(_ spot: Int) {
        guard let board = table.board, isOpen else { return }
        let action = board.action(of: spot)
        if table.isScoring { return table.play(action) }
        if table.displayed.visible.whyIllegal(action) != nil { refusals += 1 }
        table.play(action)
    }

    // MARK: Keys

    /// React to a key, given as its character; false if it does nothing here.
    public func press(_ key: Character) -> Bool {
        switch key.uppercased() {
        case "\u{F700}": walk(right: 0, down: -1)
        case "\u{F701}": walk(right: 0, down: 1)
        case "\u{F702}": walk(right: -1, down: 0)
        case "\u{F703}": walk(right: 1, down: 0)
        case "\r", " ": enter()
        case "U": table.undo()
        case "H" where hasPolicy: hint()
        default: return false
        }
        return true
    }

    /// The board has lost the keyboard's focus.
    public func forgetKeys() { cursor = nil }

    /// The first arrow shows where the keys are, the next ones walk.
    private func walk(right: Double, down: Double) {
        if cursor != nil { reached = table.board?.spot(beside: reached, right: right, down: down) ?? reached }
        cursor = reached
    }

    private func enter() {
        if cursor == nil { cursor = reached } else { choose(reached) }
    }

    // MARK: What is heard

    /// A tone; `count` tells it from the same one before it.
    public struct HeardTone: Equatable, Sendable {
        public let tone: Tone
        let count: Int
    }

    /// What a screen reader says when it changes; `refusals` tells the same reason from itself, said once more.
    public struct News: Equatable, Sendable {
        public let said: [Phrase.Part]
        let refusals: Int
    }

    /// The new move, whose turn it is or who has won, and what is to be known beside it.
    public var news: News {
        let notice = table.notice.map { Phrase.Part.phrase(sentence($0, table.displayed.visible)) }
        let now = Phrase.Part.phrase(table.headline(presentation))
        let tried = table.tried.map { Phrase.Part.phrase($0) }
        return News(said: moved + [now] + [tried, notice].compactMap { $0 }, refusals: refusals)
    }

    /// What a screen reader says of the spot that the keys have reached; empty while no key is used.
    public var underKeys: [Phrase.Part] { cursor.flatMap { table.board?.speech(of: $0) } ?? [] }

    /// Wait until nothing moves; for tests.
    func land() async { await landing?.value }
}
