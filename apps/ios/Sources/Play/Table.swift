import AzxBundle
import AzxEngine
import Foundation
import Observation

/// Something that is said beside the board until the game goes on.
public enum Notice: Equatable, Sendable {
    /// Who makes the first move, where chance has said it.
    case begins(isHuman: Bool)
    /// A move that a person wanted and may not make.
    case notPossible(Reason)
    /// The pass that the rules forced upon somebody.
    case forcedPass(isHuman: Bool)
    /// The person has given the game up.
    case resigned
    /// Black's lead less the komi without the stones that are marked dead, and with all stones alive.
    case scoring(without: Double, alive: Double)
    /// Who is ahead in Go, as playouts see it.
    case estimated(Estimate)
    /// The move that the network likes best, its share of the policy, and the mover's chances where they are known.
    case hint(action: Int, share: Double, winRate: Double?)
}

/// A bundle that is ready to be played: how its game is read, who thinks, and what was remembered of it.
@MainActor
public struct Opened {
    public let reading: Reading
    public let thinker: Thinker
    public let memory: Memory

    public init(_ reading: Reading, _ thinker: Thinker, _ memory: Memory) {
        self.reading = reading
        self.thinker = thinker
        self.memory = memory
    }

    /// The game of a text, and the settings chosen for it; nil where it is not sound for this bundle.
    func saved(_ text: String?) -> (session: Session, settings: Settings)? {
        // Any other setting would be a board that the network does not read.
        guard let game = text.flatMap({ SavedGame($0) }),
            Choices.offered(reading.game.name).isSuperset(of: game.settings.keys),
            let start = try? reading.start(game.settings), let session = game.session(start)
        else { return nil }
        return (session, game.settings)
    }
}

/// One sitting of a person and a network at a board: what the screen shows, and what its controls do.
///
/// Everything here happens on the main actor, but the network thinks elsewhere.
@MainActor
@Observable
public final class Table {
    public private(set) var choices: Choices
    public private(set) var session: Session
    /// A share from 0 to 1 of each action that the network considers; nil where no hint is shown.
    public private(set) var heat: [Int: Double]?
    public private(set) var notice: Notice?
    /// What the network's last thought has found, or the one that is under way; nil before the first.
    public private(set) var progress: Progress?
    public private(set) var isReplay = false
    /// The stones that are marked dead while they are to be agreed on; nil before they were proposed.
    private var dead: [Int]?
    /// The estimate that the board shows; nil where none is.
    private var estimated: Counted?
    /// Once the person did not agree, the network plays until captures are real.
    @ObservationIgnored private var isPlayedOn = false
    /// How warm the device is: where it is, the network thinks less from its next move on.
    public var warmth = Warmth.fine
    /// What went wrong, until a new game is begun; nil where nothing did.
    public private(set) var failure: (any Error)?
    /// The thought or the hint that is under way; nil where none is.
    @ObservationIgnored private var thought: Task<Void, Never>?
    @ObservationIgnored private var asked: Task<Void, Never>?
    /// Those that were chosen beside the network's own.
    @ObservationIgnored private(set) var settings: Settings
    /// Goes up whenever an answer that is under way is no longer wanted.
    @ObservationIgnored private var turn = 0
    /// Hears at once of each session that takes the place of another one.
    @ObservationIgnored public var watcher: ((_ before: Session, _ after: Session) -> Void)?
    @ObservationIgnored let opened: Opened
    @ObservationIgnored private let chance: () -> Player

    /// `chance` says who the person is where that is left to it. `given` is the text of a game that is to be looked at
    /// first, in place of the one that was kept. GameError where the bundle's settings are none.
    public init(
        _ opened: Opened, given: String? = nil, chance: @escaping () -> Player = { .random(in: 0...1) }
    ) throws {
        let choices = opened.memory.choices
        let shown = opened.saved(given)
        let saved = shown ?? opened.saved(opened.memory.game)
        let settings = saved?.settings ?? choices.settings(opened.reading.game.name)
        self.opened = opened
        self.chance = chance
        self.settings = settings
        self.choices = choices
        session = try saved?.session ?? Self.first(opened, settings, choices, chance)
        self.choices.isRenju = settings["rule"] == .text("renju")
        isReplay = shown != nil
        notice = forcedPass ?? drawnByLot
    }

    public var canPlay: Bool { session.phase == .yours && !isReplay }

    /// Whether the network is thinking about its move.
    public var isThinking: Bool { session.phase == .theirs && failure == nil }

    public var isScoring: Bool { session.phase == .scoring && !isReplay }
    public var canResign: Bool { (session.phase == .yours || session.phase == .theirs) && !isReplay }
    public var canEstimate: Bool { canPlay && session.latest is Go }

    /// What the board shows of dead stones and areas; nil where all stones count.
    public var counted: Counted? {
        guard let state = session.latest as? Go, session.ply == session.moves else { return nil }
        if case .agreed(let dead) = session.ending { return Counted(state, without: dead) }
        if session.phase == .scoring { return dead.map { Counted(state, without: $0) } }
        return estimated
    }

    /// The game as a text that a later table can go on from.
    public var text: String { SavedGame(session, settings: settings).text }

    private static func first(
        _ opened: Opened, _ settings: Settings, _ choices: Choices, _ chance: () -> Player
    ) throws -> Session {
        let human =
            switch choices.begins {
            case .random: chance()
            case .you: 0
            case .ai: 1
            }
        return Session(try opened.reading.start(settings), human: human)
    }

    /// A new game with what was chosen.
    public func restart() {
        drop()
        settings = choices.settings(opened.reading.game.name)
        progress = nil
        isReplay = false
        isPlayedOn = false
        attempt {
            change(try Self.first(opened, settings, choices, chance))
            notice = drawnByLot
            go()
        }
    }

    /// Choose otherwise: another rule begins a new game, the rest holds from the next move or game on.
    public func choose(_ chosen: Choices) {
        if chosen == choices { return }
        let before = choices
        choices = chosen
        opened.memory.choices = chosen
        if chosen.isRenju != before.isRenju { restart() }
        if chosen.alwaysHeat && !before.alwaysHeat && canPlay { hint() }
        if !chosen.alwaysHeat && before.alwaysHeat { forgetHint() }
    }

    /// Somebody watches: let the network move where it is its turn, it does not think already and it has not failed.
    public func resume() {
        if thought == nil, failure == nil { go() }
    }

    /// Nobody watches any more: end the thought, which `resume` begins anew.
    public func leave() {
        turn += 1
        thought?.cancel()
        asked?.cancel()
        (thought, asked) = (nil, nil)
    }

    /// Nothing that is under way is wanted any more, and nothing that was said holds.
    private func drop() {
        leave()
        heat = nil
        (dead, estimated) = (nil, nil)
        notice = nil
        failure = nil
    }

    /// A person's move; says why where it cannot be played.
    public func play(_ action: Int) {
        if isScoring { return toggle(action) }
        if !canPlay { return }
        if let reason = session.latest.whyIllegal(action) {
            notice = .notPossible(reason)
            return
        }
        drop()
        attempt {
            change(try session.played(action))
            go()
        }
    }

    /// Take a chain for dead, or for alive where it was dead.
    private func toggle(_ at: Int) {
        if let state = session.latest as? Go, let dead { mark(state, toggled(state, dead, at)) }
    }

    private func mark(_ state: Go, _ found: [Int]) {
        dead = found
        notice = .scoring(without: state.score(without: found), alive: state.score())
    }

    /// After two passes: mark the stones that are proposed dead.
    private func propose() {
        guard let state = session.latest as? Go else { return }
        let mine = turn
        asked = Task {
            let found = await Task.detached { state.deadStones(state.owned()) }.value
            if mine != turn { return }
            asked = nil
            mark(state, found)
        }
    }

    /// The dead stones are those that are marked.
    public func agree() {
        guard isScoring, let dead else { return }
        drop()
        change(session.agreed(dead))
    }

    /// Take both passes back: the network plays until captures are real.
    public func playOn() {
        if !isScoring { return }
        drop()
        isPlayedOn = true
        change(session.playedOn())
        go()
    }

    /// Give the game up.
    public func resign() {
        if !canResign { return }
        drop()
        change(session.resigned())
        notice = .resigned
    }

    /// Say who is ahead in Go, and show whose each point is.
    public func estimate() {
        guard canEstimate, let state = session.latest as? Go else { return }
        let mine = turn
        asked = Task {
            let found = await Task.detached { state.owned() }.value
            if mine != turn { return }
            asked = nil
            heat = nil
            estimated = Counted(state, seen: found)
            notice = .estimated(state.estimate(found))
        }
    }

    public func pass() {
        if let pass = passOf(session.latest) { play(pass) }
    }

    public func undo() {
        if isReplay || !session.canUndo { return }
        drop()
        change(session.undone())
        go()
    }

    /// End the thought that is under way: the network plays the best that it has found.
    public func stop() {
        thought?.cancel()
    }

    /// Colour the board by the network's policy.
    public func hint() {
        if !canPlay { return }
        let (mine, thinker, settings, actions) = (turn, opened.thinker, settings, session.actions)
        asked = Task {
            let answer = await caught { try await thinker.advise(settings, actions) }
            if mine != turn { return }
            asked = nil
            attempt { advised(try answer.get()) }
        }
    }

    private func advised(_ advice: Advice) {
        // The lowest action of equals.
        let sorted = advice.policy.sorted { $0.key < $1.key }
        guard var best = sorted.first else { return }
        for each in sorted where each.value > best.value { best = each }
        heat = advice.policy
        estimated = nil
        // What the rules did is more than what the network would do.
        if case .forcedPass = notice { return }
        notice = .hint(action: best.key, share: best.value, winRate: advice.winRate)
    }

    private func forgetHint() {
        (heat, estimated) = (nil, nil)
        if case .hint = notice { notice = nil }
        if case .estimated = notice { notice = nil }
    }

    /// Walk through the game, or go on playing.
    public func replay(_ wanted: Bool) {
        isReplay = wanted
        forgetHint()
        if !wanted { put(session.showing(session.moves)) }
    }

    /// In a replay, show the position after so many moves.
    public func show(at moves: Int) {
        if isReplay { put(session.showing(moves)) }
    }

    private func put(_ changed: Session) {
        let before = session
        session = changed
        watcher?(before, changed)
    }

    private func change(_ changed: Session) {
        put(changed)
        // It is said until the person's next move, as the network may move again at once.
        notice = forcedPass ?? notice
        opened.memory.game = text
    }

    /// Let the network think where it is its turn.
    private func go() {
        switch session.phase {
        case .theirs: think()
        case .scoring: if dead == nil && asked == nil { propose() }
        case .yours: if choices.alwaysHeat && heat == nil { hint() }
        case .over: break
        }
    }

    private func think() {
        let (mine, thinker, settings, actions) = (turn, opened.thinker, settings, session.actions)
        let limit = choices.strength.limit(seed: .random(in: 0...UInt64.max)).lessened(warmth)
        let state = isPlayedOn ? nil : session.latest as? Go
        thought = Task {
            let answer = await caught {
                if let state, await Task.detached(operation: { state.mayPass() }).value {
                    // Nothing is left to think about.
                    let progress = Progress(simulations: 0, depth: 0, winRate: nil, seconds: 0, proven: false)
                    return Thought(progress: progress, action: state.pass)
                }
                return try await thinker.think(settings, actions, limit) { [weak self] in await self?.hear($0, mine) }
            }
            if mine != turn { return }
            thought = nil
            attempt { try answered(try answer.get()) }
        }
    }

    private func hear(_ found: Progress, _ mine: Int) {
        if mine == turn { progress = found }
    }

    private func answered(_ thought: Thought) throws {
        progress = thought.progress
        let shown = session.ply
        let played = try session.rated(thought.progress.winRate).played(thought.action)
        // Who looks at an earlier position goes on looking at it.
        change(isReplay && shown < session.moves ? played.showing(shown) : played)
        go()
    }

    /// Who begins, where a person left that to chance and nobody has moved yet.
    private var drawnByLot: Notice? {
        session.moves == 0 && choices.begins == .random ? .begins(isHuman: session.human == 0) : nil
    }

    private var forcedPass: Notice? {
        session.forcedPasser.map { .forcedPass(isHuman: $0 == session.human) }
    }

    /// What goes wrong is told instead of thrown: nobody could catch it.
    private func attempt(_ body: () throws -> Void) {
        do {
            try body()
        } catch {
            failure = error
        }
    }

    /// Wait until nothing is under way, as tests do.
    func settled() async {
        while let task = thought ?? asked { await task.value }
    }
}

/// What `body` gives, or the error that it ends with.
@MainActor
private func caught<Found: Sendable>(_ body: () async throws -> Found) async -> Result<Found, any Error> {
    do {
        return .success(try await body())
    } catch {
        return .failure(error)
    }
}
