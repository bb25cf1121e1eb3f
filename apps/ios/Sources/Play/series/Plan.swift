/// The plan of a series between two sides: who begins which game, with which opening. And its tally of wins.

import AzxEngine

/// A game of a series.
public struct Round: Equatable, Sendable {
    /// How many games a series may have; one is a game alone.
    public static let counts = [1, 2, 10, 20]

    /// Which of the two sides is player 0: each has that in every other game.
    public let first: Player
    /// The number of its opening: two games have the same, one for each side; nil of a game alone, which has none.
    public let opening: Int?

    public static func all(_ count: Int) -> [Round] {
        (0..<count).map { Round(first: $0 % 2, opening: count == 1 ? nil : $0 / 2) }
    }

    /// Which side a player is, and which player a side.
    public func side(_ player: Player) -> Int { player == first ? 0 : 1 }
}

/// After how few moves a game is still open; tic-tac-toe has nine of them in all.
public func openingMoves(_ game: String) -> Int { game == "tictactoe" ? 2 : 4 }

/// What the two sides have won until now.
public struct Tally: Equatable, Sendable {
    public private(set) var won = [0, 0]
    public private(set) var drawn = 0

    public init() {}

    public var played: Int { won[0] + won[1] + drawn }

    /// Count another game, won by `winner`; nil is a draw.
    mutating func count(_ round: Round, winner: Player?) {
        if let winner { won[round.side(winner)] += 1 } else { drawn += 1 }
    }

    /// What each player of a game has won until now, player 0 first.
    func byPlayer(_ round: Round) -> [Int] { [won[round.side(0)], won[round.side(1)]] }
}

/// Who plays whom, and how often, as it is chosen for a new game; `bundles` are named as the app names them.
public struct SeriesChoice: Equatable, Sendable {
    public var bundles: [String]
    public var strengths: [Strength]
    public var count = 1

    public init(bundles: [String], strengths: [Strength], count: Int = 1) {
        (self.bundles, self.strengths, self.count) = (bundles, strengths, count)
    }
}
