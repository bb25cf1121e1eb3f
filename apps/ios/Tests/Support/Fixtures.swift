/// The golden files in mobile_assets/fixtures that every engine is tested against; docs/fixtures.md describes them.

import AzxBundle
import AzxEngine
import Foundation

public enum Fixtures {
    /// The repository: the first folder above this file that has the fixtures.
    public static let root: URL = {
        var folder = URL(fileURLWithPath: #filePath)
        while folder.path != "/" {
            folder.deleteLastPathComponent()
            if FileManager.default.fileExists(atPath: folder.appending(path: path).path) { break }
        }
        return folder
    }()

    private static let path = "mobile_assets/fixtures"

    /// The games that have a folder of fixtures, by name.
    public static let names: [String] = {
        let folder = root.appending(path: path)
        let found = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return found.filter { $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } }.sorted()
    }()

    /// The file `<name>.json`, such as `connect4/playthrough`.
    public static func read(_ name: String) throws -> Json {
        try json(root.appending(path: "\(path)/\(name).json"))
    }

    public static func json(_ file: URL) throws -> Json {
        try Json(parsing: try Data(contentsOf: file))
    }

    /// The state that the actions lead to, from a game's first one.
    public static func after(_ game: String, _ settings: Json = .null, _ actions: [Int]) throws -> any State {
        try actions.reduce(try Game.find(game).begin(settings.members ?? [:])) { try $0.apply($1) }
    }

    /// The pieces, one character a cell: X player 0, O player 1; in Dots and Boxes edges, then boxes.
    public static func draw(_ state: any State) throws -> String {
        let marks = { (cells: [UInt8]) in String(cells.map { Array(".XO")[Int($0)] }) }
        return switch state {
        case let state as DotsAndBoxes: state.edges.map(String.init).joined() + " " + marks(state.owners)
        case let state as any ColumnState: marks(state.cells)
        case let state as TicTacToe: marks(state.cells)
        case let state as Gomoku: marks(state.cells)
        case let state as Hex: marks(state.cells)
        case let state as Go: marks(state.cells)
        case let state as Reversi: marks(state.cells)
        default: throw GameError("the tests do not know how to draw this game: add it to draw() here.")
        }
    }
}

/// What a golden file lacks, which then is no golden file.
public struct Lack: Error {
    let member: String
}

extension Json {
    public func items(_ name: String) throws -> [Json] { try self[name].list ?? lack(name) }
    public func int(_ name: String) throws -> Int { try self[name].whole ?? lack(name) }
    public func ints(_ name: String) throws -> [Int] { try self[name].wholes ?? lack(name) }
    public func floats(_ name: String) throws -> [Float] { try self[name].floats ?? lack(name) }
    public func double(_ name: String) throws -> Double { try self[name].number ?? lack(name) }
    public func string(_ name: String) throws -> String { try self[name].text ?? lack(name) }
    public func flag(_ name: String) throws -> Bool { try self[name].bool ?? lack(name) }

    private func lack<Found>(_ name: String) throws -> Found {
        throw Lack(member: name)
    }
}
