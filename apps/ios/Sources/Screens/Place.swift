import AzxBundle
import AzxDrawing

/// A screen that another one leads to, with what it is about.
public enum Place: Hashable, Sendable {
    /// The board of a bundle, with a game of the library; nil where that is the last one that was played with it.
    case board(Installed, game: String?)
    /// The same with a new game.
    case newGame(Installed)
    case library
    /// The self-test of one; `proof` is what the bundle says of itself.
    case selfTest(Entry, Store, proof: Phrase?)
    case openGame
    case openBundle
    case settings
}
