import AzxBundle
import AzxDrawing
import AzxEngine
import AzxPlay
import Foundation
import Observation

/// A person's place at a table: what fingers, pointers and keys do at its board, what moves there, and what is said.
@MainActor
@Observable
public final class Seat {
    public let table: Table
    /// The spot under a finger or a pointer, where a move would go; nil where there is none.
    public private(set) var touched: Int?
    /// The spot that the keys have reached; nil while they are not used.
    public private(set) var cursor: Int?
    /// The terms of a new game while a person is asked for them; nil where none is wanted.
    public var terms: Choices?
    /// Who is to play whom, while the question for a new game is asked; nil where no networks can be chosen.
    public var sides: SeriesChoice?
    /// The bundles that can play on this board, the one that is open first; none until they are known.
    public internal(set) var players: [Installed] = []
    /// The position to which a slider has led last; nil where it has led to none.
    private(set) var slid: Int?
    /// The tab that a phone shows, kept when it is turned.
    public var tab = Tab.moves
    /// How many moves were wanted that cannot be played.
    public private(set) var refusals = 0
    /// How many moves of a game that is played here were made: a hand feels each of them, and none that is watched.
    public private(set) var felt = 0
    /// The tone of the moves that were made last; nil before the first.
    public private(set) var heard: Heard?
    /// The moves that are seen to be made, and from when on.
    private var motions: [(motion: Motion, since: Date)] = []
    /// What a screen reader says of the move that has just been made, and of the row that it has won by; nothing where
    /// no move is news.
    private var moved: [Phrase.Part] = []
    /// Whether moves are shown at once, for somebody who asks the system for less motion.
    @ObservationIgnored public var isStill = false
    /// The spot that keys and fingers have reached, seen or not.
    @ObservationIgnored private var reached = 0
    /// That of the game that is played here, whatever an index says of its bundle.
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

    /// The board at a time, with what moves on it then; nil for a game that has none.
    public func board(at time: Date) -> (any Board)? {
        let moving = motions.map { (motion: $0.motion, after: max(0, time.timeIntervalSince($0.since))) }
        return table.board(
            touched: touched, cursor: cursor, falls: moving.compactMap { $0.motion.fall(after: $0.after) },
            arrivals: moving.compactMap { $0.motion.arrival(after: $0.after) })
    }

    /// What is said below the board: a notice, the score or what was captured, that games are not kept, and why the network
    /// thinks less.
    public var asides: [Phrase] {
        let outcome = table.outcome(presentation)
        // The card at the end has said what the game's end is.
        let said = outcome != nil && table.notice == .resigned ? nil : table.notice
        let notice = said.map { sentence($0, table.displayed.visible) }
        // While the dead stones are not agreed on there is no score yet.
        let counted = table.isScoring || outcome != nil ? [] : summary(table.displayed, table.displayed.visible)
        return [notice, told].compactMap { $0 } + counted + [table.trouble.map(sentence), sentence(table.warmthFelt)].compactMap { $0 }
    }

    /// What a record tells of its result, at the end of the game.
    private var told: Phrase? {
        guard table.line == nil, table.session.ply == table.session.moves, case .told(let result, _) = table.session.ending
        else { return nil }
        return Phrase("record_tells", .text(result))
    }

    /// Another position is shown: a move that leads to it from the one before is news, and is seen to be made.
    private func follow(_ before: Session, _ after: Session) {
        if after.moves > before.moves, after.hasPerson { felt += 1 }
        if let tone = Tone(from: before, to: after) { heard = Heard(tone: tone, count: (heard?.count ?? 0) + 1) }
        // After an undo the last move is no news, and could not have been played before.
        guard after.ply > before.ply, let last = after.lastMove, before.visible.whyIllegal(last) == nil else {
            landing?.cancel()
            (motions, moved) = ([], [])
            return
        }
        let row = winningRow(after.visible).map { Phrase.Part.phrase($0) }
        moved = [table.board?.announcement(of: last), row].compactMap { $0 }
        // A pass is seen nowhere.
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

    /// The slider leads to the position after so many moves.
    public func slide(to moves: Int) {
        table.show(at: moves)
        slid = table.session.ply
    }

    // MARK: Fingers and pointers

    /// A finger or a pointer is at a point of the board; nil where it is at none.
    public func touch(_ point: AzxDrawing.Point?) {
        let spot = point.flatMap { table.board?.spot(at: $0) }
        if spot != touched { touched = spot }
    }

    /// What a `finger` at a point of the board's view hides, where points are small; `fit` is how the board lies in its
    /// view of so many points, and `above` how many there are between it and the screen's edge.
    public func lens(_ fit: Fit, finger: AzxDrawing.Point, width: Double, above: Double) -> Lens? {
        guard let touched, isOpen, let board = table.board else { return nil }
        return Lens(board, fit, spot: touched, finger: finger, width: width, above: above)
    }

    /// A finger is lifted, and plays what it is at; beside the board it plays nothing.
    public func lift(at point: AzxDrawing.Point) {
        (touched, cursor) = (nil, nil)
        guard let spot = table.board?.spot(at: point) else { return }
        reached = spot
        choose(spot)
    }

    /// Play a spot, or say why it cannot be played.
    public func choose(_ spot: Int) {
        guard let board = table.board, isOpen else { return }
        let action = board.action(of: spot)
        if table.isScoring { return table.play(action) }
        if table.displayed.visible.whyIllegal(action) != nil { refusals += 1 }
        table.play(action)
    }

    // MARK: Keys

    /// A key is pressed, given as its character; false where it does nothing here.
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

    /// The keys go elsewhere.
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
    public struct Heard: Equatable, Sendable {
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

    /// What is said of the spot that the keys have reached; nothing while they are not used.
    public var underKeys: [Phrase.Part] { cursor.flatMap { table.board?.speech(of: $0) } ?? [] }

    /// Wait until nothing moves, as tests do.
    func land() async { await landing?.value }
}
