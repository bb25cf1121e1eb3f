/// What the engine knows of a game beside its rules: settings, networks' shapes, how policies number its actions.

/// Settings' values, numbers and texts, by name.
public typealias Settings = [String: Json]

/// One choice that a game leaves open; `choices` empty means any number.
public struct Setting: Decodable, Sendable {
    public let name: String
    public let usual: Json
    public let choices: [Json]
    public let about: String

    private enum CodingKeys: String, CodingKey {
        case name, usual = "default", choices, about
    }

    /// `given`, or a text of it, as a value of this setting; the usual value if nothing is given. GameError if the setting
    /// does not allow it.
    public func read(_ given: Json?) throws -> Json {
        guard let given else { return usual }
        if let value = convert(given), choices.isEmpty || choices.contains(value) { return value }
        let allowed = choices.isEmpty ? "a number" : choices.map(\.description).joined(separator: ", ")
        throw GameError("setting \(name): '\(given)' is not possible, use \(allowed).")
    }

    /// `given` as a number or a text, whichever the usual value is; nil if it cannot be one.
    private func convert(_ given: Json) -> Json? {
        switch (usual, given) {
        case (.number, .number(let number)): number.isFinite ? given : nil
        case (.number, .text(let text)): Double(text).flatMap { $0.isFinite ? .number($0) : nil }
        case (.text, .text): given
        default: nil
        }
    }
}

/// How a policy numbers actions: `name` (cell, column, ...), its `width`, and the index of the game's action.
public struct Numbering: Sendable {
    public let name: String
    public let width: Int
    public let index: @Sendable (_ action: Int) -> Int
}

/// A game, with the shapes that networks of it have.
public struct Game: Sendable {
    private let shapes: Shapes
    /// The first state; every setting has a value.
    private let start: @Sendable (Settings) throws -> any State

    /// The game called `name` in shapes.json.
    init(_ name: String, start: @escaping @Sendable (Settings) throws -> any State) {
        self.init(Shapes.of(name), start: start)
    }

    init(_ shapes: Shapes, start: @escaping @Sendable (Settings) throws -> any State) {
        self.shapes = shapes
        self.start = start
    }

    public var name: String { shapes.name }
    public var title: String { shapes.title }
    public var settings: [Setting] { shapes.settings }
    /// What the reference network reads.
    public var encoding: Encoding { shapes.referenceEncoding }

    /// The names of the settings that do not change what a network reads.
    public var freeSettings: Set<String> {
        Set(settings.map(\.name)).subtracting(settings(board: encoding.board).keys)
    }

    /// The settings of the board whose planes have this shape; empty if there is none.
    func settings(board: [Int]) -> Settings { shapes.board(board)?.settings ?? [:] }

    /// How networks of a state's board number its actions, the reference network's way first.
    public func numberings(_ state: any State) -> [Numbering] {
        // An output an action, or one a column: columns repeat row by row.
        (shapes.board(state.board)?.policies ?? []).map { policy in
            Numbering(name: policy.name, width: policy.width) { $0 % policy.width }
        }
    }

    /// All settings: the given ones, and the usual values of those that are missing or not possible.
    public func complete(_ given: Settings) -> Settings {
        Dictionary(uniqueKeysWithValues: settings.map { ($0.name, (try? $0.read(given[$0.name])) ?? $0.usual) })
    }

    /// The first state (usual values for settings not given); GameError for an unknown setting.
    public func begin(_ given: Settings = [:]) throws -> any State {
        let known = settings.map(\.name)
        if let unknown = given.keys.sorted().first(where: { !known.contains($0) }) {
            let has = known.isEmpty ? "it has none" : "it has \(known.joined(separator: ", "))"
            throw GameError("\(title) has no setting '\(unknown)': \(has).")
        }
        return try start(Dictionary(uniqueKeysWithValues: settings.map { ($0.name, try $0.read(given[$0.name])) }))
    }
}

/// A game as one network reads it. `numbering` is nil for a network without a policy.
public struct Reading: Sendable {
    public let game: Game
    public let encoding: Encoding
    public let numbering: Numbering?
    public let settings: Settings

    /// The first state on the board that the network reads, with `more` settings.
    public func start(_ more: Settings = [:]) throws -> any State {
        try game.begin(settings.merging(more) { $1 })
    }

    /// The tensor of a state as the network reads it.
    public func tensor(_ state: any State) throws -> [Float] {
        // A game draws its reference encoding faster than plane by plane.
        encoding == state.encoding ? state.encode() : try encode(state, encoding)
    }

    /// The network's value, whosever it is, as the value of the player to move.
    public func value(_ value: Double, _ state: any State) -> Double {
        let isMovers =
            switch encoding.value {
            case .mover: true
            case .opponent: false
            case .player0: state.toMove == 0
            case .player1: state.toMove == 1
            case .unknown: true
            }
        return encoding.value == .unknown ? 0 : isMovers ? value : -value
    }

    /// The policy's outputs by the game's actions in `state`; nil for a network without a policy.
    public func policy(_ outputs: [Float], _ state: any State) -> [Float]? {
        guard let numbering else { return nil }
        if encoding.isTurned(state.toMove) {
            return (0..<state.actions).map { outputs[numbering.index(encoding.turned(action: $0))] }
        }
        return (0..<state.actions).map { outputs[numbering.index($0)] }
    }
}
