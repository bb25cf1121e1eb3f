import AzxBundle
import AzxEngine
import Foundation
import Support
import Testing

/// The listing of docs/in-your-app.md does what it says; tests/test_in_your_app.py holds FirstMove.swift to the page.
@Suite struct ListingTests {
    @Test func theFirstMoveOfConnect4IsTheMiddle() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "azx-listing-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let bundle = Fixtures.bundles.appending(path: "connect4")
        try FileManager.default.copyItem(at: bundle, to: folder.appending(path: "connect4"))
        try index(of: bundle).write(to: folder.appending(path: "index.json"))
        let state = try await firstMove(Store(folder))
        #expect(state.lastAction == 38)
    }

    /// An index of that bundle alone, as `azx install` writes it.
    private func index(of folder: URL) throws -> Data {
        let entry = try JSONSerialization.jsonObject(with: JSONEncoder().encode(Fixtures.bundle(folder).entry))
        return try JSONSerialization.data(withJSONObject: ["schema_version": 2, "bundles": [entry]])
    }
}
