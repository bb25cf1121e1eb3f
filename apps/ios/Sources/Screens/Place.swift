import AzxBundle
import AzxDrawing

/// A position of a game, by the moves that lead there.
public struct Position: Hashable, Sendable {
    public let game: String
    /// The board's settings, as texts.
    public let settings: [String: String]
    public var actions: [Int] = []
}

/// A screen that another one leads to, with its subject.
public enum Place: Hashable, Sendable {
    /// The board of a bundle, with a game of the library; nil if that is the last one that was played with it.
    case board(Installed, game: String?)
    /// The same with a new game.
    case newGame(Installed)
    /// A game of two people, who agree on its terms first. It may begin with a set-up position.
    case people(Position?)
    /// A game of two people, of the library.
    case shared(game: String)
    /// Setting up a position on an empty board.
    case setUp(Position)
    case library
    /// The self-test of a bundle; `proof` is the bundle's own claim.
    case selfTest(Entry, Store, proof: Phrase?)
    case openGame
    case openBundle
    case settings
}
