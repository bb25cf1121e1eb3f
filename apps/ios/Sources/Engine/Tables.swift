/// The tables of games/data, which every language reads: levels, thresholds, shapes, star points, positions.

import Foundation

public enum Tables {
    static let levels: LevelTable = read("levels")
    static let thresholds: Thresholds = read("thresholds")
    static let shapes: [Shapes] = read("shapes")
    static let openings: OpeningTable = read("connect4_openings")
    private static let starPointsBySize: [String: [[Int]]] = read("star_points")
    private static let positionsByGame: [String: String] = read("positions")

    /// The row and the column of each star point of a board with `size` points a side; empty if it has none.
    public static func starPoints(_ size: Int) -> [[Int]] { starPointsBySize["\(size)"] ?? [] }

    /// The names of the moves to the position that shows a game in a list; none if the table has none.
    public static func movesToPosition(_ game: String) -> [Substring] { positionsByGame[game]?.split(separator: " ") ?? [] }

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

/// connect4_openings.json: how each position of few discs ends, packed into letters.
struct OpeningTable: Decodable, Sendable {
    let mostDiscs: Int
    let outcomes: String
}

/// thresholds.json: the limits for reviews, hints and the end of a game of Go.
struct Thresholds: Decodable, Sendable {
    struct Verdict: Decodable, Sendable {
        let name: String
        let leastLoss: Double
        let leastBoxes: Int
        let leastDiscs: Int
        let isMistake: Bool
    }

    struct Accuracy: Decodable, Sendable {
        let factor: Double
        let rate: Double
        let offset: Double
        let fewestMoves: Int
    }

    /// Shares of the playouts, in per cent unless noted.
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
        /// A move on a disputed point is worth playing if it gains this number of points in the mean of the playouts.
        let leastGain: Double
        /// From these shares of playouts won on an estimate is called clear, and likely.
        let clear: Int
        let likely: Int
        /// An estimate is open while a side has fewer stones; on small boards, fewer than a quarter of the points.
        let fewestStones: Int
    }

    /// When two moves of a search count as equally good.
    struct Equal: Decodable, Sendable {
        /// Each has at least this share of the best one's visits.
        let leastShare: Double
        /// They differ by at most this number of standard errors of their difference.
        let errors: Double
    }

    let verdicts: [Verdict]
    let deeper: Int
    /// With more open edges than this a position of Dots and Boxes is not solved.
    let solvedEdges: Int
    /// With more empty cells than this a position of Reversi is not solved.
    let solvedCells: Int
    let accuracy: Accuracy
    let candidates: Int
    let equal: Equal
    let goScoring: GoScoring
}

/// What shapes.json has of a game; the first board, and its first policy, is the reference network's.
struct Shapes: Decodable, Sendable {
    struct Planes: Decodable, Sendable {
        let layout: Encoding.Layout
        let planes: [String]
    }

    /// A side of a board, or a factor of a policy's width: a setting's value times `times`, `plus` a number.
    struct Term: Decodable, Sendable {
        let setting: String
        let times: Int
        let plus: Int

        func number(_ settings: Settings) -> Int { times * (settings[setting]?.whole ?? 0) + plus }
    }

    struct Width: Decodable, Sendable {
        let name: String
        let factors: [Term]
        let plus: Int
    }

    struct Policy: Sendable {
        let name: String
        let width: Int
    }

    struct Board: Sendable {
        let settings: Settings
        let board: [Int]
        let policies: [Policy]
    }

    let name: String
    let title: String
    let settings: [Setting]
    let encoding: Planes
    let boards: [Board]

    private enum CodingKeys: String, CodingKey {
        case name, title, settings, encoding, board, policies
    }

    init(from decoder: any Decoder) throws {
        let table = try decoder.container(keyedBy: CodingKeys.self)
        name = try table.decode(String.self, forKey: .name)
        title = try table.decode(String.self, forKey: .title)
        let settings = try table.decode([Setting].self, forKey: .settings)
        self.settings = settings
        encoding = try table.decode(Planes.self, forKey: .encoding)
        let sides = try table.decode([Term].self, forKey: .board)
        let widths = try table.decode([Width].self, forKey: .policies)
        boards = Self.settings(of: sides, settings).map { given in
            let policies = widths.map { width in
                Policy(name: width.name, width: width.factors.reduce(1) { $0 * $1.number(given) } + width.plus)
            }
            return Board(settings: given, board: sides.map { $0.number(given) }, policies: policies)
        }
    }

    /// The settings of each board, those that its sides depend on; the reference network's first.
    private static func settings(of sides: [Term], _ settings: [Setting]) -> [Settings] {
        let named = Set(sides.map(\.setting))
        return settings.filter { named.contains($0.name) }.reduce([[:]]) { known, setting in
            let choices = [setting.usual] + setting.choices.filter { $0 != setting.usual }
            return known.flatMap { given in choices.map { given.merging([setting.name: $0]) { $1 } } }
        }
    }

    /// The shapes of one of the games of the table, by its name.
    static func of(_ game: String) -> Shapes {
        guard let found = Tables.shapes.first(where: { $0.name == game }) else {
            fatalError("shapes.json has no game '\(game)'.")
        }
        return found
    }

    /// The sizes of the boards, ascending; empty for a game whose boards have no size.
    var sizes: [Int] { boards.compactMap { $0.settings["size"]?.whole }.sorted() }
    /// The size of the reference network's board.
    var referenceSize: Int { boards[0].settings["size"]?.whole ?? 0 }
    /// What the reference network reads.
    var referenceEncoding: Encoding { encoding(of: boards[0].board) }

    /// The same encoding for another board.
    func encoding(rows: Int, columns: Int) -> Encoding { encoding(of: [rows, columns]) }

    /// The board whose planes have this shape; nil if there is none.
    func board(_ shape: [Int]) -> Board? { boards.first { $0.board == shape } }

    private func encoding(of board: [Int]) -> Encoding {
        Encoding(layout: encoding.layout, board: board, planes: encoding.planes)
    }

    /// The setting called `name`, which the table has.
    func setting(_ name: String) -> Setting {
        guard let found = settings.first(where: { $0.name == name }) else {
            fatalError("shapes.json has no setting '\(name)' of \(self.name).")
        }
        return found
    }
}
