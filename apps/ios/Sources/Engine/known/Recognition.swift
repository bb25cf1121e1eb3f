/// Recognition: which game a network plays by its manifest, and how it reads it and numbers its actions.

extension Game {
    /// The game called `name`; GameError, with the known names, if there is none.
    public static func find(_ name: String) throws -> Game {
        if let game = games.first(where: { $0.name == name }) { return game }
        let known = games.map(\.name).joined(separator: ", ")
        throw GameError("game '\(name)' is unknown: this app plays \(known).")
    }
}

extension Reading {
    /// The reading in a manifest's members `game`, `settings`, `encoding` and `actions`; `width` is the policy's number of
    /// outputs, nil without one. GameError if it is unsound.
    public init(manifest: Json, width: Int?) throws {
        let game = try Game.find(manifest["game"].description)
        let encoding = try Encoding(manifest["encoding"])
        let given = settingsFrom(manifest["settings"])
        let settings = given.isEmpty ? game.settings(board: encoding.board) : given
        let state = try game.begin(settings)
        // An unknown plane is refused now, not at the first move.
        _ = try encode(state, encoding)
        let numbering = try width.map { try numberingOf(game, state, manifest["actions"], $0) }
        self.init(game: game, encoding: encoding, numbering: numbering, settings: settings)
    }
}

/// The given settings by name; none if `data` is not an object.
func settingsFrom(_ data: Json) -> Settings {
    (data.members ?? [:]).filter { !$0.value.isNull }.mapValues { $0.number == nil ? .text($0.description) : $0 }
}

/// The numbering with the name of `actions`, a listed one, or the only one of this width.
private func numberingOf(_ game: Game, _ state: any State, _ actions: Json, _ width: Int) throws -> Numbering {
    if let list = actions.list { return try listNumbering(list, width, state.actions) }
    let known = game.numberings(state)
    if let found = known.first(where: { $0.width == width && (actions.isNull || $0.name == actions.text) }) {
        return found
    }
    throw GameError(
        "the policy's \(width) outputs do not number \(game.title)'s actions by "
            + "'\(actions.isNull ? "a known way" : actions.description)': "
            + "use \(known.map(\.name).joined(separator: ", ")), "
            + "or a list with an index for each of the \(state.actions) actions.")
}

private func listNumbering(_ list: [Json], _ width: Int, _ count: Int) throws -> Numbering {
    let indices = list.compactMap(\.whole).filter { 0 <= $0 && $0 < width }
    guard list.count == count, indices.count == count else {
        throw GameError("'actions' must list \(count) indices from 0 to \(width - 1), one for each action.")
    }
    return Numbering(name: "listed", width: width) { indices[$0] }
}
