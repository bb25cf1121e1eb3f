import AzxEngine

/// The position that shows in a list what a game is about: after the moves of the table, as far as this board allows them.
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
