import AzxBundle
import AzxEngine
import Foundation
import Observation

/// One sitting of a person and a network at a board, or of a network that is watched: what the screen shows, and what
/// its controls do.
///
/// Everything here happens on the main actor, but the network thinks elsewhere. Beside this file: its thoughts, hints, the end of
/// Go, games that are watched, and replays.
@MainActor
@Observable
public final class Table {
    public private(set) var choices: Choices
    public private(set) var session: Session
    /// A share from 0 to 1 of each action that is considered; nil where no hint is shown.
    public internal(set) var heat: [Int: Double]?
    /// What the search of a hint has found of the position that is shown; nil where none is.
    public internal(set) var found: Analysis?
    /// What the moves of a hint gain or lose against the best of them; nil where chances alone are known.
    public internal(set) var points: [Int: Int]?
    /// The mover's chance as the network alone sees it, beside the heat of its policy; nil if it was not asked.
    var advised: Double?
    public internal(set) var notice: Notice?
    /// What the network's last thought has found, or the one that is under way; nil before the first.
    public internal(set) var progress: Progress?
    /// After how many moves the position is that `progress` is about; nil if it is not on the board any more.
    @ObservationIgnored var heardAt: Int?
    /// Whether a hint is under way.
    public internal(set) var isHinting = false
    public internal(set) var isReplay = false
    /// What a person tries out in a replay; nil where that is nothing.
    public internal(set) var line: Line?
    /// A mistake that a person tries to do better in a replay; nil where there is none.
    public internal(set) var retry: Retry?
    /// Whether whatever position of a replay is shown is looked at, deeper and deeper.
    public internal(set) var isLive = false
    /// The series whose games are played here; nil where there is none.
    public internal(set) var series: Series?
    public internal(set) var isAnalysing = false
    /// How many simulations a hint makes, and an analysis of each position.
    public var simulations = 200
    public nonisolated static let simulationsOffered = [50, 200, 800]
    /// Whether a game that is watched stands still until `step` or `pause`.
    public internal(set) var isPaused = false
    /// The stones that are marked dead while they are to be agreed on; nil before they were proposed.
    var dead: [Int]?
    /// The estimate that the board shows; nil where none is.
    var estimated: Counted?
    /// Once the person did not agree, the network plays until captures are real.
    @ObservationIgnored var isPlayedOn = false
    /// How warm the device is: where it is, the network thinks less from its next move on.
    public var warmth = Warmth.fine
    /// The same; `fine` where the network thinks as long as ever, as at a level.
    public var warmthFelt: Warmth {
        let strengths = sides?.compactMap { Strength(level: $0.level) } ?? [choices.strength]
        return strengths.contains { $0.limit().canBeLessened } ? warmth : .fine
    }
    /// Whether somebody watches.
    @ObservationIgnored private(set) var isSeen = true
    /// What went wrong, until a new game is begun; nil where nothing did.
    public private(set) var failure: (any Error)?
    /// The thought, the pause before one, or the hint that is under way; nil where none is.
    @ObservationIgnored var thought: Task<Void, Never>?
    @ObservationIgnored var asked: Task<Void, Never>?
    @ObservationIgnored var analysis: Task<Void, Never>?
    /// The look that is under way, and the moves to the position that it is at, or was to its end; nil where none is.
    @ObservationIgnored var live: Task<Void, Never>?
    @ObservationIgnored var lookedAt: [Int]?
    /// Those that were chosen beside the network's own.
    @ObservationIgnored private(set) var settings: Settings
    /// What makes the game the one that it is in the library.
    public internal(set) var identity: Identity
    /// That of its entry as this table knows it.
    @ObservationIgnored private var revision: String?
    /// Goes up whenever an answer that is under way is no longer wanted.
    @ObservationIgnored private(set) var turn = 0
    /// Hears at once of each session that takes the place of another one on the board.
    @ObservationIgnored public var watcher: ((_ before: Session, _ after: Session) -> Void)?
    @ObservationIgnored let opened: Opened
    @ObservationIgnored private let chance: () -> Player
    /// Lets so many seconds pass.
    @ObservationIgnored let rest: @Sendable (Double) async -> Void

    /// `chance` says who the person is where that is left to it. `kept` is the game that goes on here, or is read; nil
    /// begins a new one. GameError where the bundle's settings are none.
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
        // Who comes back to a game that went on by itself looks at it first.
        isPaused = kept != nil && session.isWatched
        notice = forcedPass ?? drawnByLot
    }

    /// The game's name.
    public var game: String { opened.reading.game.name }
    /// The points for moving second in the games that the network was made for; nil in games without.
    public var ownKomi: Double? { Choices.ownKomi(opened.reading) }

    /// Whether it was made for another rule than its game's usual one.
    public var hasOtherRule: Bool { Choices.hasOtherRule(opened.reading) }
    public var canPlay: Bool { session.phase == .yours && !isReplay }
    /// Whether the network is thinking about its move.
    public var isThinking: Bool { session.phase == .theirs && failure == nil && !isPaused }
    /// A game that is watched is nobody's to give up.
    public var canResign: Bool {
        (session.phase == .yours || session.phase == .theirs) && !isReplay && !session.isWatched
    }

    /// The game as the library keeps it.
    public var gameRecord: GameRecord {
        let (reading, kept) = (opened.reading, Kept(session, settings: settings, identity))
        return GameRecord(kept, reading.game, board: reading.settings, opened.shelf?.opponent, choices.strength)
    }

    /// What could not be kept, which a later table then does not find; nil where nothing is wrong.
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

    /// A new game with what was chosen.
    public func restart() {
        begin(Self.human(choices, chance))
        notice = drawnByLot
    }

    /// A new game on other terms, which are kept.
    public func restart(_ chosen: Choices) {
        remember(chosen)
        restart()
    }

    func remember(_ chosen: Choices) {
        choices = chosen
        opened.memory.choices = chosen
    }

    /// A new game in which the person plays the other side.
    public func swapSides() { begin(session.hasPerson ? other(session.human) : nobody) }

    private func begin(_ human: Player) {
        let chosen = choices.settings(opened.reading)
        attempt {
            let session = Session(try opened.reading.start(chosen), human: human)
            lay(Kept(session, settings: chosen, Self.identity(session)))
        }
    }

    /// Lay out a game, and let it go.
    func lay(_ kept: Kept) {
        drop()
        (settings, identity, progress) = (kept.settings, kept.identity, nil)
        (isReplay, line, isPlayedOn, isPaused) = (false, nil, false, false)
        change(kept.session)
        go()
    }

    /// Choose otherwise, from the next move or game on.
    public func choose(_ chosen: Choices) {
        if chosen == choices { return }
        let before = choices
        remember(chosen)
        if chosen.alwaysHeat && !before.alwaysHeat && canPlay { warmUp() }
        if !chosen.alwaysHeat && before.alwaysHeat { forgetHint() }
    }

    /// Somebody watches: let the network move where it is its turn, it does not think already and it has not failed.
    public func resume() {
        isSeen = true
        if thought == nil, failure == nil { go() }
        look()
    }

    /// Nobody watches any more: end the thought, which `resume` begins anew.
    public func leave() {
        isSeen = false
        leaveThoughts()
    }

    /// Nothing that is thought is wanted any more.
    func leaveThoughts() {
        turn += 1
        thought?.cancel()
        asked?.cancel()
        (thought, asked, isHinting) = (nil, nil, false)
        endAnalysis()
        endLook()
        giveUpTry()
    }

    /// Nothing that is under way is wanted any more, and nothing that was said holds.
    func drop() {
        leaveThoughts()
        (retry, isLive, heardAt) = (nil, false, nil)
        forgetFound()
        (dead, estimated) = (nil, nil)
        notice = nil
        failure = nil
    }

    /// A person's move, in a replay one that is tried out; says why where it cannot be played.
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

    /// End what is under way: the network plays the best move that it has found, a hint shows what it has, and an analysis
    /// keeps the positions that it has judged.
    public func stop() {
        thought?.cancel()
        if isHinting { asked?.cancel() }
        if isAnalysing { stopAnalysis() }
    }

    /// Show another session.
    func put(_ changed: Session) {
        let before = displayed
        session = changed
        // What is tried out stays on the board.
        if line == nil { watcher?(before, changed) }
        look()
    }

    /// An analysis knows a position.
    func know(_ found: Seen, at moves: Int) { session = session.know(found, at: moves) }

    /// Go on with another session, which is kept.
    func change(_ changed: Session) {
        put(changed)
        // It is said until the person's next move, as the network may move again at once.
        notice = forcedPass ?? notice
        keep()
        series?.look()
    }

    /// Who begins, where a person left that to chance and nobody has moved yet.
    private var drawnByLot: Notice? {
        let isDrawn = session.moves == 0 && choices.begins == .random && session.hasPerson
        return isDrawn ? .begins(isHuman: session.human == 0) : nil
    }

    /// Where the network plays with itself nobody has to be told.
    private var forcedPass: Notice? {
        !session.hasPerson ? nil : session.forcedPasser.map { .forcedPass(isHuman: $0 == session.human) }
    }

    /// What went wrong is told in place of the game.
    func fail(_ error: any Error) { failure = error }

    /// What goes wrong is told instead of thrown: nobody could catch it.
    func attempt(_ body: () throws -> Void) {
        do {
            try body()
        } catch {
            failure = error
        }
    }

    /// Wait until nothing is under way, as tests do.
    func settle() async {
        while let task = thought ?? asked ?? (isAnalysing ? analysis : nil) { await task.value }
    }
}

/// What `body` gives, or the error that it ends with.
@MainActor
func catchError<Found: Sendable>(_ body: () async throws -> Found) async -> Result<Found, any Error> {
    do {
        return .success(try await body())
    } catch {
        return .failure(error)
    }
}
