import AzxBundle
import Support
import Testing

@testable import AzxEngine

/// Readings that fit beside one that is only assumed: which can be chosen, and what a network is then given.
@Suite struct AssumedTests {
    private let broken: Broken

    init() throws {
        broken = try Broken()
        try broken.edit("\"checkpoint\": {", "\(choosable) \"checkpoint\": {")
    }

    /// What the network reads of the upper and the lower left corner once the first player is in the upper one.
    private func corners(_ chosen: String?) throws -> [Float] {
        let reading = try broken.open(chosen: chosen).reading
        let tensor = try reading.tensor(try reading.start().apply(0))
        return [tensor[0], tensor[6]]
    }

    @Test func aBundleIsReadAsAssumedOrAsAPersonHasChosen() throws {
        #expect(try corners(nil) == [-1, 0])
        #expect(try corners("tictactoe-signed-opponent") == [1, 0])
        #expect(try corners("tictactoe-bottom-first") == [0, 1])
        let flipped = try broken.open(chosen: "tictactoe-bottom-first").reading
        #expect(flipped.numbering?.index(0) == 6, "the moves are numbered as it does")
        #expect(try corners("tictactoe-planes") == [-1, 0], "it reads more than the network has")
        #expect(try corners("no-such-reading") == [-1, 0])
        try broken.edit(choosable, "")
        #expect(try corners("tictactoe-signed-opponent") == [-1, 0], "no choice where it is known")
    }

    @Test func whatIsInDoubtIsToldOfReadingsThatTheNetworkCanHave() throws {
        let doubt = try #require(try broken.open(chosen: "tictactoe-signed-opponent").doubt)
        #expect(doubt.assumed.planes == ["signed"])
        #expect(doubt.others.map(\.name) == ["tictactoe-signed-opponent", "tictactoe-bottom-first"])
        #expect(doubt.chosen == "tictactoe-signed-opponent")
        #expect(try broken.open(chosen: "tictactoe-planes").doubt?.chosen == nil)
        try broken.edit(choosable, "\"assumed\": {\"others\": []},")
        #expect(try broken.open().doubt?.others.isEmpty == true)
        try broken.edit("\"assumed\": {\"others\": []},", "")
        #expect(try broken.open().doubt == nil)
        try broken.edit("\"role\": \"policy\"", "\"role\": \"policy\", \"degree\": \"assumed\"")
        let alone = try #require(try broken.open().doubt)
        #expect(!alone.board && alone.outputs && alone.others.isEmpty)
    }
}
