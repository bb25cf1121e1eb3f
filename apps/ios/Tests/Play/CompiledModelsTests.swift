import Foundation
import Testing

@testable import AzxNetwork

/// Folders stand for what Core ML compiles.
@Suite final class CompiledModelsTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "azx-\(UUID().uuidString)")
    private let models: CompiledModels

    init() {
        models = CompiledModels(folder.appending(path: "models"))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// A folder as Core ML leaves one.
    private func compile(_ name: String) throws -> URL {
        let made = folder.appending(path: "made/\(name)")
        try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
        try Data(name.utf8).write(to: made.appending(path: "model"))
        return made
    }

    private var kept: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "models").path)) ?? []
        return names.filter { $0.hasSuffix(".mlmodelc") }.map { String($0.prefix { $0 != "." }) }.sorted()
    }

    @Test func oneIsFoundUntilItIsForgotten() async throws {
        #expect(await models.find("a") == nil)
        let place = await models.keep(try compile("a"), "a")
        #expect(await models.find("a") == place)
        #expect(try String(contentsOf: place.appending(path: "model"), encoding: .utf8) == "a")
        // Compiled once more by somebody else meanwhile: the later one holds.
        #expect(await models.keep(try compile("b"), "a") == place)
        #expect(try String(contentsOf: place.appending(path: "model"), encoding: .utf8) == "b")
        await models.forget("a")
        #expect(await models.find("a") == nil)
    }

    @Test func thoseThatWereNotUsedForLongestGo() async throws {
        for number in 0..<CompiledModels.most { _ = await models.keep(try compile("\(number)"), "\(number)") }
        #expect(kept.count == CompiledModels.most)
        #expect(await models.find("0") != nil)
        _ = await models.keep(try compile("new"), "new")
        #expect(kept == ["0", "2", "3", "4", "5", "6", "7", "new"])
    }

    /// What an earlier version of the app has left stands in no list.
    @Test func whatNobodyHasUsedSinceGoes() async throws {
        let old = folder.appending(path: "models/old.mlmodelc")
        try FileManager.default.createDirectory(at: old, withIntermediateDirectories: true)
        _ = await models.keep(try compile("new"), "new")
        #expect(kept == ["new"])
    }

    @Test func whatCannotBeKeptIsUsedWhereItLies() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data().write(to: folder.appending(path: "models"))
        let made = try compile("a")
        #expect(await models.keep(made, "a") == made)
    }
}
