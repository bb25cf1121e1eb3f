import AzxEngine
import Foundation

/// A game as an immutable record with an identity of its own: who plays, what was played, what is known of it.
///
/// It is the page's record, and an entry of the library. As JSON it is a file (GameRecordJson.swift), which may come from anyone.
public struct GameRecord: Equatable, Identifiable, Sendable {
    public static let version = 1

    public private(set) var id: String
    /// A new one with each change.
    public let revision: String
    /// When it was begun or opened here, and changed last, in ISO 8601 and UTC.
    public let begun: String
    public let changed: String
    public let origin: Origin
    /// A game of the engine's, or one that a later app knows.
    public let game: String
    /// All settings of its board and its rules.
    public let settings: Settings
    /// The bundle that plays it here; nil if none does.
    public let bundle: BundleName?
    /// Players 0 and 1.
    public let players: [Side]
    public let human: Player
    public let actions: [Int]
    /// The number of them that were not played: they place the stones that stood before the first move.
    public let setUp: Int
    public let ending: Ending?
    /// Whether the game is over, and the winner; nil is a draw, or unknown.
    public let over: Bool
    public let winner: Player?
    /// As in a session.
    public let rates: [Int: Double]
    public let seen: [Look]
    public private(set) var beside: Beside
    /// What two people have agreed on; nil in other games.
    public var shared: Shared?

    /// How a record came here.
    public enum Origin: String, Sendable { case played, watched, opened, link }

    /// A bundle's name, and whether a person has given it to the app.
    public struct BundleName: Hashable, Sendable {
        public let name: String
        public let isGiven: Bool

        public init(_ name: String, isGiven: Bool = false) { (self.name, self.isGiven) = (name, isGiven) }
    }

    /// The player of a side: a person here, a network, or a name of a file.
    public struct Side: Hashable, Sendable {
        public enum Kind: String, Sendable { case person, network, file }

        public let kind: Kind
        /// A network's title, or the name that a file or one of two people gives; of a person it may be empty.
        public var name = ""
        /// How strong a network plays, as "level 3", "simulations 50", "seconds 1" or "policy"; empty for others.
        public var level = ""
        /// The bundle of a side that was chosen for a game between networks; nil if one network plays alone.
        public var bundle: BundleName?
    }

    /// What an analysis knows of a position: the number of moves, the mover's chance, the best action, whether it is sure.
    public struct Look: Equatable, Sendable {
        public let moves: Int
        public let chance: Double
        public let best: Int?
        public let isSure: Bool
    }
}

/// What makes a record this one, beside what was played.
public struct Identity: Equatable, Sendable {
    public internal(set) var id: String
    public let begun: String
    public let origin: GameRecord.Origin
    public var beside = Beside()
    /// The two networks that were chosen for the sides of a game, or the two people of a game at one device; nil in other games.
    public var sides: [GameRecord.Side]?
    /// What two people have agreed on; nil of other games.
    public var shared: Shared?

    init(id: String, begun: String, origin: GameRecord.Origin) { (self.id, self.begun, self.origin) = (id, begun, origin) }

    /// An identity that no other record has.
    public init(_ origin: GameRecord.Origin) {
        self.init(id: GameRecord.freshId(), begun: GameRecord.text(of: Date()), origin: origin)
    }
}

extension GameRecord {
    /// A short name that no other record has.
    static func freshId() -> String {
        String((0..<16).map { _ in "0123456789abcdefghijklmnopqrstuvwxyz".randomElement() ?? "0" })
    }

    private static let exact = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// A date as a record has it.
    static func text(of date: Date) -> String { date.formatted(exact) }

    /// The date in a record's text; nil if it has none.
    static func date(_ text: String) -> Date? { (try? exact.parse(text)) ?? (try? Date(text, strategy: .iso8601)) }

    /// When it was begun here.
    public var date: Date { Self.date(begun) ?? .distantPast }

    /// Whether it is a record of other people's game.
    public var isRead: Bool { human == reader }
    /// Whether a person here plays one of the sides.
    public var hasPerson: Bool { human >= 0 }
    /// Whether two people play it at one device.
    public var isOfTwo: Bool { isRead && players.allSatisfy { $0.kind == .person } }

    /// Whether this game begins with all moves of the other one.
    public func goesOn(from other: GameRecord) -> Bool { setUp == other.setUp && actions.starts(with: other.actions) }

    /// Whether this may replace `there` without losing a move: it was made from that (whose revision is `base`), or continues a
    /// game that has not ended there.
    func mayReplace(_ there: GameRecord, from base: String?) -> Bool {
        there.revision == base || (goesOn(from: there) && (there.ending == nil || there.ending == ending))
    }

    /// The same under another name, or with other lines beside it.
    func renamed(_ id: String, beside: Beside? = nil) -> GameRecord {
        var record = self
        (record.id, record.beside) = (id, beside ?? self.beside)
        return record
    }
}
