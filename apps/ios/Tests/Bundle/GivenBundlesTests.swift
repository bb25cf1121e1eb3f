import Foundation
import Support
import Testing

@testable import AzxBundle

/// Bundles that a person has given to the app, on its disk.
@Suite final class GivenBundlesTests {
    private let broken: Broken
    private let root: URL
    private var given: GivenBundles { GivenBundles(root) }

    init() throws {
        broken = try Broken()
        root = FileManager.default.temporaryDirectory.appending(path: "azx-\(UUID().uuidString)")
    }

    deinit {
        try? FileManager.default.removeItem(at: root)
    }

    private var folders: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []).sorted()
    }

    @Test func oneIsKeptAsAnInstalledOneLiesAndRemovedAgain() throws {
        #expect(given.entries(besides: []).isEmpty)
        let taken = try take(broken.folder, besides: [])
        try given.keep(taken)
        #expect(given.entries(besides: []) == [taken.entry])
        let bundle = try GameBundle(taken.entry, given.store)
        #expect(bundle.problems.isEmpty)
        #expect(try bundle.model().lastPathComponent == "tictactoe.mlpackage")
        #expect(try bundle.golden().count == 20)
        #expect(folders == ["index.json", "tictactoe"])
        try given.remove("tictactoe")
        #expect(given.entries(besides: []).isEmpty && folders == ["index.json"])
    }

    /// Before the first byte of a bundle lies there, as a backup may begin at any time; a new device has what it had anew.
    @Test func theFolderIsLeftOutOfBackupsBeforeABundleLiesInIt() throws {
        let told = Told()
        let given = GivenBundles(root) { folder in
            told.folders.append("\(folder.lastPathComponent): \(try FileManager.default.contentsOfDirectory(atPath: folder.path))")
            throw CocoaError(.fileWriteNoPermission)
        }
        try given.keep(try take(broken.folder, besides: []))
        #expect(told.folders.first == "\(root.lastPathComponent): []")
        #expect(given.entries(besides: []).map(\.name) == ["tictactoe"])
    }

    @Test func severalAreKeptAndOneOfTheSameNameTakesItsPlace() throws {
        try given.keep(try take(broken.folder, besides: []))
        try given.keep(try take(broken.folder, besides: ["tictactoe"]))
        try given.keep(try take(broken.folder, besides: []))
        #expect(given.entries(besides: []).map(\.name) == ["tictactoe-2", "tictactoe"])
        #expect(folders == ["index.json", "tictactoe", "tictactoe-2"])
    }

    @Test func whatAnInstalledOneIsCalledSinceIsNumbered() throws {
        try given.keep(try take(broken.folder, besides: []))
        let renamed = try #require(given.entries(besides: ["tictactoe"]).first)
        #expect(renamed.name == "tictactoe-2" && renamed.title == "Tic-tac-toe")
        #expect(try GameBundle(renamed, given.store).model().path.contains("/tictactoe-2/"))
        #expect(given.entries(besides: ["tictactoe"]) == [renamed])
    }

    @Test func aNumberThatAnotherOneHasIsNotGivenTwice() throws {
        for taken in [[], ["tictactoe"]] { try given.keep(try take(broken.folder, besides: taken)) }
        #expect(given.entries(besides: ["tictactoe"]).map(\.name) == ["tictactoe-3", "tictactoe-2"])
        #expect(folders == ["index.json", "tictactoe-2", "tictactoe-3"])
    }

    @Test func whatALostProcessLeftBehindIsNotListedAndGoes() throws {
        let left = root.appending(path: ".new/tictactoe.mlpackage")
        try FileManager.default.createDirectory(at: left, withIntermediateDirectories: true)
        try FileManager.default.createDirectory(at: root.appending(path: "half"), withIntermediateDirectories: true)
        #expect(given.entries(besides: []).isEmpty)
        try given.keep(try take(broken.folder, besides: []))
        #expect(folders == ["index.json", "tictactoe"])
    }

    @Test func aDiskThatTakesNothingIsASentenceAndLeavesNothing() throws {
        // A file stands where the folder should be.
        try Data([1]).write(to: root)
        let taken = try take(broken.folder, besides: [])
        let kept = try #require(refusal { try given.keep(taken) })
        #expect(kept.hasPrefix("Bundle 'tictactoe' cannot be kept on this device (") && kept.hasSuffix("): open it again."))
        let removed = try #require(refusal { try given.remove("tictactoe") })
        #expect(removed.hasPrefix("Bundle 'tictactoe' cannot be removed (") && removed.hasSuffix("): try it again."))
        #expect(given.entries(besides: []).isEmpty)
    }

    @Test func aFullDiskIsToldWithTheSizeThatItLacks() throws {
        let taken = try take(broken.folder, besides: [])
        let size = megabytes(taken.size)
        #expect(
            keepingError(taken, CocoaError(.fileWriteOutOfSpace)).sentence
                == "Bundle 'tictactoe' has \(size) MB, and this device has no room to keep it: remove another one and open it again.")
        #expect([0, 49_999, 150_000, 1_000_000, 3_649_999].map(megabytes) == ["0.1", "0.1", "0.2", "1", "3.6"])
    }
}

private final class Told: @unchecked Sendable {
    var folders: [String] = []
}
