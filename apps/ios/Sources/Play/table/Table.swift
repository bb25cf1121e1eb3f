import AzxBundle
import AzxEngine
import Foundation
import Observation

/// A person and a network at a board, or a network that is watched: what the screen shows, and what its controls do.
///
/// All of it runs on the main actor; the network thinks elsewhere. Other files of this folder have the thoughts, hints, the end of
/// Go, games that are watched, replays, reviews, and the panel.
@MainActor
@Observable
public final class Table {
    public private(set) var choices: Choices
    public private(set) var session: Session
    /// The share (0 to 1) of each action that a search considers; nil while no hint is shown.
    public internal(set) var heat: [Int: Double]?
    /// What the search of a hint has found in the shown position; nil while no hint is shown.
    public internal(set) var found: Analysis?
    /// What the moves of a hint gain or lose against the best of them; nil if only chances are known.
    public internal(set) var points: [Int: Int]?
    /// The mover's chance as the network alone sees it, beside the heat of its policy; nil if it was not asked.
    var advised: Double?
    public internal(set) var notice: Notice?
    /// What the network's thought has found, the one under way or else the last one; nil before the first.
    public internal(set) var progress: Progress?
    /// After how many moves the position is that `progress` is about; nil if it is not on the board any more.
    @ObservationIgnored var heardAt: Int?
    /// Whether a hint is under way.
    public internal(set) var isHinting = false
    public internal(set) var isReplay = false
    /// What a person tries out in a replay; nil while the game itself is shown.
    public internal(set) var line: Line?
    /// A mistake that a person tries to do better in a replay; nil otherwise.
    public internal(set) var retry: Retry?
    /// Whether the shown position of a replay is analysed for as long as it is shown.
    public internal(set) var isLive = false
    /// The series whose games are played here; nil for a single game.
    public internal(set) var series: Series?
    public internal(set) var isAnalysing = false
    /// The number of simulations of a hint, and of each position of an analysis.
    public var simulations = 200
    public nonisolated static let simulationsOffered = [50, 200, 800]
    /// Whether a watched game stands still until `step` or `pause`.
    public internal(set) var isPaused = false
    /// The stones that are marked dead until the person agrees; nil before any are proposed.
    var dead: [Int]?
    /// The estimate that the board shows; nil while it shows none.
    var estimated: Counted?
    /// Whether the person did not agree on dead stones: the network then plays until they are captured.
    @ObservationIgnored var isPlayedOn = false
    /// How warm the device is. On a warm device the network thinks less from its next move on.
    public var warmth = Warmth.fine
    /// The same, but `fine` if the network does not think less for it, as at a level.
    public var warmthFelt: Warmth {
        let strengths = sides?.compactMap { Strength(level: $0.level) } ?? [choices.strength]
        return strengths.contains { $0.limit().canBeLessened } ? warmth : .fine
    }
    /// Whether somebody watches.
    @ObservationIgnored private(set) var isSeen = true
    /// What went wrong, until a new game begins; nil if all is well.
    public private(set) var failure: (any Error)?
    /// The thought or the pause before it, and the hint that is under way; nil if none is.
    @ObservationIgnored var thought: Task<Void, Never>?
    @ObservationIgnored var asked: Task<Void, Never>?
    @ObservationIgnored var analysis: Task<Void, Never>?
    /// The live analysis, and the moves to the position that it looks at or has finished; nil without one.
    @ObservationIgnored var live: Task<Void, Never>?
    @ObservationIgnored var lookedAt: [Int]?
    /// The settings that a person chose beside the network's own.
    @ObservationIgnored private(set) var settings: Settings
    /// What identifies the game in the library.
    public internal(set) var identity: Identity
    /// The revision of the library's entry that this table knows.
    @ObservationIgnored private var revision: String?
    /// Increases whenever an answer that is under way is no longer wanted.
    @ObservationIgnored private(set) var turn = 0
    /// Called at once with each session that replaces another one on the board.
    @ObservationIgnored public var watcher: ((_ before: Session, _ after: Session) -> Void)?
    @ObservationIgnored let opened: Opened
    @ObservationIgnored private let chance: () -> Player
    /// Waits for a number of seconds.
    @ObservationIgnored let rest: @Sendable (Double) async -> Void

    /// `chance` draws the person's side if it is left to chance. `kept` is the game that goes on here, or is read; nil begins a
    /// new one. GameError if the rules refuse the bundle's settings.
    public init(
        _ opened: Opened, kept: Kept? = nil, chance: @escaping () -> Player = { .random(in: 0...1) },
        rest: @escaping @Sendable (Double) async -> Void = { try? await Task.sleep(for: .seconds($0)) }
    ) throws {
        let choices = opened.memory.choices
        let settings = kept?.settings ?? choices.settings(opened.reading)
        let session =
            try kept?.session ?? Session(try opened.reading.start(settings), human: Self.human(choices, chance))
        self.opened = opened
        self.chance = chance
        self.rest = rest
        self.settings = settings
        self.choices = choices
        self.session = session
        identity = kept?.identity ?? Self.identity(session)
        revision = kept?.revision
        self.choices.take(settings, opened.reading)
        isReplay = session.isRead
        // A person who comes back to a watched game looks at it first.
        isPaused = kept != nil && session.isWatched
        notice = forcedPass ?? drawnByLot
    }

    /// The game's name.
    public var game: String { opened.reading.game.name }
    /// The points for moving second in the games that the network was made for; nil in games without them.
    public var ownKomi: Double? { Choices.ownKomi(opened.reading) }

    /// Whether it was made for another rule than its game's usual one.
    public var hasOtherRule: Bool { Choices.hasOtherRule(opened.reading) }
    public var canPlay: Bool { session.phase == .yours && !isReplay }
    /// Whether the network is thinking about its move.
    public var isThinking: Bool { session.phase == .theirs && failure == nil && !isPaused }
    /// A watched game cannot be given up.
    public var canResign: Bool {
        (session.phase == .yours || session.phase == .theirs) && !isReplay && !session.isWatched
    }

    /// The game as the library keeps it.
    public var gameRecord: GameRecord {
        let (reading, kept) = (opened.reading, Kept(session, settings: settings, identity))
        return GameRecord(kept, reading.game, board: reading.settings, opened.shelf?.opponent, choices.strength)
    }

    /// Why games cannot be saved; nil if they can.
    public var trouble: Library.Trouble? { opened.shelf?.library.trouble }

    /// Save the game once it has begun. If another window has continued it in another way, the game here becomes a record
    /// of its own.
    func keep() {
        guard let library = opened.shelf?.library else { return }
        if library[identity.id] == nil, !session.isBegun { return }
        store(in: library)
    }

    func store(in library: Library) {
        let (id, record) = (identity.id, library.keep(gameRecord, from: revision))
        (identity.id, identity.beside, revision) = (record.id, record.beside, record.revision)
        if record.id != id { notice = .branched }
    }

    private static func identity(_ session: Session) -> Identity { Identity(session.isWatched ? .watched : .played) }

    private static func human(_ choices: Choices, _ chance: () -> Player) -> Player {
        switch choices.begins {
        case .random: chance()
        case .you: 0
        case .ai: 1
        case .watch: nobody
        }
    }

    /// Begin a new game with the current choices.
    public func restart() {
        begin(Self.human(choices, chance))
        notice = drawnByLot
    }

    /// Begin a new game with other choices, and remember them.
    public func restart(_ chosen: Choices) {
        remember(chosen)
        restart()
    }

    func remember(_ chosen: Choices) {
        choices = chosen
        opened.memory.choices = chosen
    }

    /// Begin a new game in which the person plays the other side.
    public func swapSides() { begin(session.hasPerson ? other(session.human) : nobody) }

    private func begin(_ human: Player) {
        let chosen = choices.settings(opened.reading)
        attempt {
            let session = Session(try opened.reading.start(chosen), human: human)
            lay(Kept(session, settings: chosen, Self.identity(session)))
        }
    }

    /// Put a game on the board, and let it go on.
    func lay(_ kept: Kept) {
        drop()
        (settings, identity, progress) = (kept.settings, kept.identity, nil)
        (isReplay, line, isPlayedOn, isPaused) = (false, nil, false, false)
        change(kept.session)
        go()
    }

    /// Change the choices, from the next move or game on.
    public func choose(_ chosen: Choices) {
        if chosen == choices { return }
        let before = choices
        remember(chosen)
        if chosen.alwaysHeat && !before.alwaysHeat && canPlay { warmUp() }
        if !chosen.alwaysHeat && before.alwaysHeat { forgetHint() }
    }

    /// Somebody looks at the table again: let the network think if it is its turn and nothing has failed.
    public func resume() {
        isSeen = true
        if thought == nil, failure == nil { go() }
        look()
    }

    /// Ask the network once more after a failure.
    public func askAgain() {
        failure = nil
        go()
    }

    /// The table is not seen any more: end the thought; `resume` begins it anew.
    public func leave() {
        isSeen = false
        leaveThoughts()
    }

    /// End every search that is under way.
    func leaveThoughts() {
        turn += 1
        thought?.cancel()
        asked?.cancel()
        (thought, asked, isHinting) = (nil, nil, false)
        endAnalysis()
        endLook()
        giveUpTry()
    }

    /// End everything that is under way, and forget what was said of the position.
    func drop() {
        leaveThoughts()
        (retry, isLive, heardAt) = (nil, false, nil)
        forgetFound()
        (dead, estimated) = (nil, nil)
        notice = nil
        failure = nil
    }

    /// Play a person's move, or try it out in a replay; a notice says why it cannot be played.
    public func play(_ action: Int) {
        if isReplay { return tryOut(action) }
        if isScoring { return toggle(action) }
        if !canPlay { return }
        if let reason = session.whyIllegal(action) {
            notice = .notPossible(reason)
            return
        }
        drop()
        attempt {
            change(try session.play(action))
            go()
        }
    }

    public func pass() {
        if let pass = passOf(session.latest) { play(pass) }
    }

    public func undo() {
        if isReplay || !session.canUndo { return }
        drop()
        change(session.undo())
        go()
    }

    /// Give the game up.
    public func resign() {
        if !canResign { return }
        drop()
        change(session.resign())
        notice = .resigned
    }

    /// End what is under way. The network plays its best move so far, a hint shows what it has, and an analysis keeps the
    /// positions that it has judged.
    public func stop() {
        thought?.cancel()
        if isHinting { asked?.cancel() }
        if isAnalysing { stopAnalysis() }
    }

    /// Show another session on the board.
    func put(_ changed: Session) {
        let before = displayed
        session = changed
        // What is tried out stays on the board.
        if line == nil { watcher?(before, changed) }
        look()
    }

    /// Keep what an analysis knows of a position.
    func know(_ found: Seen, at moves: Int) { session = session.know(found, at: moves) }

    /// Go on with another session, which is kept.
    func change(_ changed: Session) {
        put(changed)
        // The notice stays until the person's next move, as the network may move again at once.
        notice = forcedPass ?? notice
        keep()
        series?.look()
    }

    /// Who begins, if a person left that to chance and no move was made yet.
    private var drawnByLot: Notice? {
        let isDrawn = session.moves == 0 && choices.begins == .random && session.hasPerson
        return isDrawn ? .begins(isHuman: session.human == 0) : nil
    }

    /// The pass that the rules forced; nil in a watched game, which needs no notice.
    private var forcedPass: Notice? {
        !session.hasPerson ? nil : session.forcedPasser.map { .forcedPass(isHuman: $0 == session.human) }
    }

    /// Show what went wrong in place of the game.
    func fail(_ error: any Error) { failure = error }

    /// Show an error of `body` instead of throwing it.
    func attempt(_ body: () throws -> Void) {
        do {
            try body()
        } catch {
            failure = error
        }
    }

    /// Wait until nothing is under way; for tests.
    func settle() async {
        while let task = thought ?? asked ?? (isAnalysing ? analysis : nil) { await task.value }
    }
}

/// What `body` returns, or the error that it throws.
@MainActor
func catchError<Found: Sendable>(_ body: () async throws -> Found) async -> Result<Found, any Error> {
    do {
        return .success(try await body())
    } catch {
        return .failure(error)
    }
}
