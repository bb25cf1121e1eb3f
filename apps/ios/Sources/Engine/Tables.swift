/// The tables of games/data, which every language reads: levels, thresholds, shapes, star points.

import Foundation

public enum Tables {
    static let levels: LevelTable = read("levels")
    static let thresholds: Thresholds = read("thresholds")
    static let shapes: [Shapes] = read("shapes")
    private static let starPointsBySize: [String: [[Int]]] = read("star_points")

    /// The row and the column of each star point of a board with `size` points a side; empty if it has none.
    public static func starPoints(_ size: Int) -> [[Int]] { starPointsBySize["\(size)"] ?? [] }

    /// The table of a file, which the build copies from games/data (apps/tools/write_texts.py).
    private static func read<Table: Decodable>(_ name: String) -> Table {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        do {
            guard let file = Bundle.module.url(forResource: name, withExtension: "json") else {
                fatalError("\(name).json is not among the engine's resources.")
            }
            return try decoder.decode(Table.self, from: Data(contentsOf: file))
        } catch {
            fatalError("\(name).json is not the table that the engine reads: \(error)")
        }
    }
}

/// levels.json: the levels of each game, weak to strong.
struct LevelTable: Decodable, Sendable {
    let unmeasured: [Level]
    let games: [String: [Level]]
}

/// thresholds.json: what a review, a hint and the end of a game of Go are told by.
struct Thresholds: Decodable, Sendable {
    struct Verdict: Decodable, Sendable {
        let name: String
        let leastLoss: Double
        let isMistake: Bool
    }

    struct Accuracy: Decodable, Sendable {
        let factor: Double
        let rate: Double
        let offset: Double
    }

    /// Shares of the playouts, in per cent, where nothing else is said.
    struct GoScoring: Decodable, Sendable {
        let playouts: Int
        let seed: Int
        /// A chain is proposed dead if its points are the other side's in this share.
        let dead: Int
        /// An estimate shows a point as a side's from this share on.
        let shown: Int
        /// The game is decided if each point is the same side's in this share.
        let settled: Int
        /// A point that is one side's in less than this share is disputed.
        let disputed: Int
        /// With more disputed points than this the board is unfinished.
        let mostDisputed: Int
        /// A move on a disputed point is worth playing if it gains so many points in the mean of the playouts.
        let leastGain: Double
        /// From these shares of playouts won on an estimate is called clear, and likely.
        let clear: Int
        let likely: Int
        /// With fewer stones of a side an estimate is open; on small boards with less than a quarter of the points.
        let fewestStones: Int
    }

    let verdicts: [Verdict]
    let deeper: Int
    let accuracy: Accuracy
    let candidates: Int
    let goScoring: GoScoring
}

/// What shapes.json has of a game; the first board, and its first policy, is the reference network's.
struct Shapes: Decodable, Sendable {
    struct Planes: Decodable, Sendable {
        let layout: Encoding.Layout
        let planes: [String]
    }

    struct Policy: Decodable, Sendable {
        let name: String
        let width: Int
    }

    struct Board: Decodable, Sendable {
        let settings: Settings
        let board: [Int]
        let policies: [Policy]
    }

    let name: String
    let title: String
    let settings: [Setting]
    let encoding: Planes
    let shapes: [Board]

    /// The shapes of one of the games of the table, by its name.
    static func of(_ game: String) -> Shapes {
        guard let found = Tables.shapes.first(where: { $0.name == game }) else {
            fatalError("shapes.json has no game '\(game)'.")
        }
        return found
    }

    /// The sizes of the boards, ascending; empty for a game that has one board.
    var sizes: [Int] { shapes.compactMap { $0.settings["size"]?.whole }.sorted() }
    /// The size of the reference network's board.
    var referenceSize: Int { shapes[0].settings["size"]?.whole ?? 0 }
    /// What the reference network reads.
    var referenceEncoding: Encoding { encoding(of: shapes[0]) }

    /// The same for a board of another size; the reference network's if the table has no such board.
    func encoding(size: Int) -> Encoding {
        encoding(of: shapes.first { $0.settings["size"]?.whole == size } ?? shapes[0])
    }

    /// The board whose planes have this shape; nil if there is none.
    func board(_ shape: [Int]) -> Board? { shapes.first { $0.board == shape } }

    private func encoding(of board: Board) -> Encoding {
        Encoding(layout: encoding.layout, board: board.board, planes: encoding.planes)
    }

    /// The setting called so, which the table has.
    func setting(_ name: String) -> Setting {
        guard let found = settings.first(where: { $0.name == name }) else {
            fatalError("shapes.json has no setting '\(name)' of \(self.name).")
        }
        return found
    }
}
