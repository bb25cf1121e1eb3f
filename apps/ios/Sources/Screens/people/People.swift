import AzxBundle
import AzxDrawing
import AzxEngine
import AzxPlay
import Observation

/// The screen of two people at one device: what they agree on, then their game.
@MainActor
@Observable
public final class People {
    /// What they agree on; it may change until the game begins.
    public var agreed = Agreed()
    /// The game and its board, which a set-up position decides.
    public var game: Game {
        didSet { if game.name != oldValue.name { settings = [:] } }
    }
    public var settings: Settings = [:]
    public private(set) var table: SharedTable?
    public private(set) var presentation: Presentation
    /// Whether there is, or was, a game: new terms follow it, and not the library's game once more.
    public private(set) var hasBegun = false
    /// Whether a game of the library cannot be continued.
    public private(set) var isDamaged = false
    /// Whether it is known that no network here plays this board.
    public private(set) var isAlone = false
    public let from: Position?
    @ObservationIgnored private let library: Library?
    @ObservationIgnored private let now: () -> Int

    /// A game begins, with `from` if that was set up; `now` counts milliseconds.
    public init(from: Position? = nil, in library: Library?, now: @escaping () -> Int) {
        (self.from, self.library, self.now) = (from, library, now)
        let found = from.flatMap { try? Game.find($0.game) } ?? Game.games[0]
        game = found
        presentation = Presentation(found.name)
        settings = from?.settings.mapValues { .text($0) } ?? [:]
    }

    /// What can be chosen of a board: its sizes, and the rule.
    public var choices: [Setting] { from == nil ? game.settings.filter { !$0.choices.isEmpty } : [] }

    public func value(_ setting: Setting) -> Json { settings[setting.name] ?? setting.usual }

    public func choose(_ name: String) {
        if let found = try? Game.find(name) { game = found }
    }

    /// What a setting is called: a size by its own name, a rule by the rule.
    public func title(of setting: Setting) -> Phrase {
        if setting.name == "rule", let other = setting.choices.last { return Phrase("rule_\(other)") }
        return Phrase("board_\(setting.name)")
    }

    /// What a choice is called: "9 × 9", or whether the rule holds.
    public func called(_ choice: String, _ setting: Setting) -> Phrase.Part {
        if setting.name == "rule" { return .words(choice == setting.choices.last?.description ? "rule_on" : "rule_off") }
        return .text(setting.name == "size" ? "\(choice) × \(choice)" : choice)
    }

    /// Where a position of the chosen board is set up.
    public var emptyBoard: Place { .setUp(Position(game: game.name, settings: game.complete(settings).mapValues(\.description))) }

    /// Begin with what was chosen.
    public func begin() {
        guard let start = try? game.begin(settings), let states = replay(start, from?.actions ?? [], whole: false) else { return }
        sit(game.begin(game.complete(settings), from: states, agreed))
    }

    /// Go on with a game of the library.
    public func open(_ id: String) async {
        if hasBegun { return }
        await library?.open()
        guard let record = library?[id], let kept = record.keptShared, let found = try? Game.find(record.game) else {
            isDamaged = true
            return
        }
        game = found
        sit(kept)
    }

    private func sit(_ kept: Kept) {
        table?.leave()
        presentation = Presentation(game.name)
        (hasBegun, isAlone) = (true, false)
        table = SharedTable(kept, game, in: library, now: now)
        table?.enter()
    }

    /// Begin another game of the same two people, who swap sides.
    public func rematch() {
        if let table { sit(table.rematch()) }
    }

    /// Leave the table, to choose other terms.
    public func anew() {
        table?.leave()
        table = nil
    }

    /// The board of the game with a network that reviews it; nil, and `isAlone`, if none plays it.
    public func review(_ store: Store, _ given: GivenBundles?) async -> Place? {
        guard let table, let library else { return nil }
        library.keep(table.record, from: library[table.id]?.revision)
        let found = try? await table.record.find(store, given)
        isAlone = found == nil
        return found.map { .board($0, game: table.id) }
    }

    // MARK: What is seen

    public var board: (any Board)? {
        guard let table else { return nil }
        let session = table.session
        return try? AzxDrawing.board(
            Shown(
                session.visible, human: session.human, last: session.lastMove, canPlay: table.canPlay || table.isScoring,
                counted: table.counted))
    }

    /// A finger is lifted at a point of the board, and plays what it is at.
    public func lift(at point: AzxDrawing.Point) {
        if let action = board?.action(at: point) { table?.play(action) }
    }

    public var headline: Phrase? { table.map { status($0.session, presentation) } }

    /// Whether the headline is the result.
    public var isResult: Bool { table?.session.phase == .over }

    /// The score of a counted game that is over, "33 : 31"; nil in other games.
    public var score: String? { table.flatMap { isResult ? AzxScreens.score($0.session) : nil } }

    /// The sentences below the board.
    public var asides: [Phrase] {
        guard let table else { return [] }
        let session = table.session
        if isAlone { return [Phrase("people_no_review")] }
        if let asker = table.shared.asker {
            return [Phrase("undo_ask", .opening(name(asker)), name(other(asker)))]
        }
        if let refusal = table.refusal { return [Phrase("not_possible", .phrase(why(refusal)))] }
        if session.phase == .over, table.session.isAtEnd { return reason(session, presentation).map { [$0] } ?? [] }
        return summary(session, session.visible)
    }

    /// What a side is called.
    public func name(_ player: Player) -> Phrase.Part { presentation.player(player, table?.session.names) }

    public var chips: [Chip] { table.map { AzxScreens.chips($0, presentation) } ?? [] }

    /// "4:07", "1:02:03": what a player has left, in seconds that have begun; nil without a clock.
    public func clock(of player: Player) -> String? { table?.left(of: player).map(face) }
}

func face(_ milliseconds: Int) -> String {
    let seconds = (milliseconds + 999) / 1000
    let two = { (number: Int) in number % 60 < 10 ? "0\(number % 60)" : "\(number % 60)" }
    let (hours, minutes) = (seconds / 3600, seconds / 60)
    return hours > 0 ? "\(hours):\(two(minutes)):\(two(seconds))" : "\(minutes):\(two(seconds))"
}
