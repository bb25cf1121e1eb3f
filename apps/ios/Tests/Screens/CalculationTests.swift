import AzxBundle
import AzxDrawing
import AzxEngine
import Support
import Testing

@testable import AzxScreens

/// What a card says of an artifact's bytes: in Python's words, for each of calculations.json's cases.
@Suite struct CalculationTests {
    private func manifest(_ calculation: Json, positions: Json = .null) throws -> Manifest {
        let port: Json = .object(["name": .text("board"), "shape": .list([.number(2)])])
        let head: [String: Json] = [
            "name": .text("value"), "shape": .list([.number(1)]), "role": .text("value"), "activation": .text("tanh"),
        ]
        let artifact: Json = .object(["path": .text("one.mlpackage"), "calculation": calculation])
        return try Manifest(
            .object([
                "schema_version": .number(1), "name": .text("one"), "files": .list([]), "inputs": .list([port]),
                "outputs": .list([.object(head)]), "batch": .number(1), "positions": positions,
                "recommended": .object(["ios": .text("one.mlpackage")]), "artifacts": .list([.null, artifact]),
                "checkpoint": .object(["parameters": .number(2)]),
            ]), of: "one")
    }

    @Test func everyCaseIsSaidAsPythonSaysIt() throws {
        let cases = try Fixtures.read("calculations").items("cases")
        #expect(cases.count >= 14)
        for each in cases {
            let said = Catalog.english.say(proof(try manifest(each["calculation"])))
            let wanted = each["sentence"].text.map { "Recorded by whoever made this bundle, and not checked here: \($0)." }
            #expect(said == wanted ?? Catalog.english.say(Phrase("proof_none")), "\(each["about"])")
        }
    }

    @Test func anOlderBundleSaysInHowManyPositions() throws {
        let told = try manifest(.null, positions: .object(["count": .number(1000)]))
        #expect(proof(told) == Phrase("proof_recorded", .whole(1000)))
    }
}
