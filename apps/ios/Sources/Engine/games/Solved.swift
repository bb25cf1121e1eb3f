/// A position that is solved to the end of its game. `margin` are the boxes or discs by which the player to move ends ahead,
/// `best` the best actions, ascending, none once the game is over.
struct Solved: Equatable, Sendable {
    let margin: Int
    let best: [Int]
}
