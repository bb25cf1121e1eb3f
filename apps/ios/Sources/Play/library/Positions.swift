import AzxEngine

/// The position that stands for a game in a list, one that shows what the game is about: the last one of the table's moves,
/// as far as the rules of this board allow them.
public func position(for game: String, from start: any State) -> any State {
    var state = start
    for move in Tables.movesToPosition(game) {
        guard let action = state.legalActions().first(where: { (try? state.label($0)) == String(move) }),
            let next = try? state.apply(action)
        else { break }
        state = next
        if isForcedPass(state), let passed = try? state.apply(state.legalActions()[0]) { state = passed }
    }
    return state
}
