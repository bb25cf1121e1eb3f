/// Games of a table as records of the library, and back.

import AzxBundle
import AzxEngine
import Foundation

// In SGF each may stand within another one.
private let mostLines = 1_000

/// A game on its way to the library and back: the session, the settings beside the network's own, and the identity.
public struct Kept: Sendable {
    public let session: Session
    public let settings: Settings
    public let identity: Identity
    /// The revision of the entry that it was read from; nil if there is none.
    let revision: String?

    public init(_ session: Session, settings: Settings, _ identity: Identity, revision: String? = nil) {
        (self.session, self.settings, self.identity, self.revision) = (session, settings, identity, revision)
    }
}

/// The bundle that plays a game here against the person, by its name and its title.
public struct Opponent: Sendable {
    public let bundle: GameRecord.BundleName
    public let title: String

    public init(_ bundle: GameRecord.BundleName, title: String) { (self.bundle, self.title) = (bundle, title) }

    public init(_ installed: Installed) {
        self.init(
            GameRecord.BundleName(installed.entry.name, isGiven: installed.isGiven), title: installed.entry.title)
    }
}

extension GameRecord {
    /// The record of a game on the board of these settings, which changes `now`; without an opponent it is only read.
    public init(
        _ kept: Kept, _ game: Game, board: Settings, _ opponent: Opponent? = nil, _ strength: Strength? = nil,
        now: Date = Date()
    ) {
        let (session, identity) = (kept.session, kept.identity)
        let sides = session.isWatched || session.isRead || session.isOfTwo ? identity.sides : nil
        let isOver = session.phase == .over
        let own = opponent?.bundle
        // A game between two networks is opened with one of them.
        let isOneOfThem = sides?.contains { $0.bundle?.name == own?.name } ?? true
        let isOfTwo = sides?.allSatisfy { $0.kind == .person } ?? false
        self.init(
            id: identity.id, revision: Self.freshId(), begun: identity.begun, changed: Self.text(of: now),
            origin: identity.origin, game: game.name,
            settings: game.complete(board.merging(kept.settings) { $1 }),
            bundle: isOfTwo ? nil : isOneOfThem ? own : sides?[0].bundle ?? own,
            players: sides ?? [0, 1].map { side($0, session, opponent, strength) }, human: session.isOfTwo ? reader : session.human,
            actions: session.actions, setUp: session.setUp, ending: session.ending, over: isOver,
            winner: isOver ? session.winner : nil, rates: session.rates,
            seen: session.seen.sorted { $0.key < $1.key }.map { moves, seen in
                Look(moves: moves, chance: seen.chance, best: seen.best, isSure: seen.isSure)
            },
            beside: identity.beside, shared: isOfTwo ? identity.shared ?? Shared() : nil)
    }

    /// The identity of the record.
    public var identity: Identity {
        var identity = Identity(id: id, begun: begun, origin: origin)
        identity.beside = beside
        if isOfTwo || players.allSatisfy({ $0.bundle != nil }) { identity.sides = players }
        identity.shared = shared
        return identity
    }

    /// The record as a table takes it, played again move by move; nil if the rules forbid what it says.
    public var kept: Kept? {
        guard let states, ending?.fits(states) ?? true else { return nil }
        let shown = states.indices.dropFirst(setUp)
        var session = Session(states: states, human: human, rates: rates.filter { shown.contains($0.key) }, ending: ending)
        session.setUp = setUp
        for look in seen where shown.contains(look.moves) {
            let state = states[look.moves]
            if let best = look.best, state.whyIllegal(best) != nil { continue }
            session.seen[look.moves] = Seen(
                mover: state.toMove, chance: look.chance, best: look.best, isSure: look.isSure, known: Known(state))
        }
        if isRead { session.names = players.map(\.name) }
        let free = settings.filter { Choices.freeSettings(game).contains($0.key) }
        return Kept(session, settings: free, identity(states), revision: revision)
    }

    /// The record for two people to continue; nil if the rules forbid it, or it is not a game of two people.
    public var keptShared: Kept? {
        guard isOfTwo, let kept else { return nil }
        var session = kept.session
        session.human = both
        return Kept(session, settings: settings, kept.identity, revision: revision)
    }

    /// The identity, with those lines that the rules allow; the others are counted.
    private func identity(_ states: [any State]) -> Identity {
        var identity = identity
        let sound = beside.lines.filter { line in
            states.indices.dropFirst(setUp).contains(line.from) && replay(states[line.from], line.actions, whole: false) != nil
        }
        identity.beside.lines = Array(sound.prefix(mostLines))
        identity.beside.leftOut += beside.lines.count - identity.beside.lines.count
        return identity
    }

    /// The position that it has come to; nil if the rules forbid it.
    public var last: (any State)? { states?.last }

    private var states: [any State]? { (try? Game.find(game).begin(settings)).flatMap { replay($0, actions) } }

    /// Whether a network plays this game with its settings; those that it does not read, komi and rule, may be any.
    public func fits(_ reading: Reading) -> Bool {
        let free = reading.game.freeSettings
        return reading.game.name == game
            && reading.settings.allSatisfy { free.contains($0.key) || settings[$0.key] == $0.value }
    }
}

private func side(
    _ player: Player, _ session: Session, _ opponent: Opponent?, _ strength: Strength?
) -> GameRecord.Side {
    if let names = session.names { return GameRecord.Side(kind: .file, name: names[player]) }
    if player == session.human { return GameRecord.Side(kind: .person) }
    return GameRecord.Side(kind: .network, name: opponent?.title ?? "", level: strength?.level ?? "")
}

extension GameRecord.Side {
    /// The side of a bundle that was chosen for a game between networks.
    public init(_ installed: Installed, _ strength: Strength) {
        let bundle = GameRecord.BundleName(installed.entry.name, isGiven: installed.isGiven)
        self.init(kind: .network, name: installed.entry.title, level: strength.level, bundle: bundle)
    }
}

extension Strength {
    /// As a record has it: "level 3".
    var level: String { rawValue.lowercased().replacing("_", with: " ") }

    /// The strength of a record's text; nil if this app does not know it.
    public init?(level: String) { self.init(rawValue: level.uppercased().replacing(" ", with: "_")) }
}
