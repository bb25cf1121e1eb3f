import AzxBundle
import AzxNetwork
import Foundation
import Support
import Testing

@testable import AzxSelfTest

/// The recorded answers, each number `off` by so much.
private struct Recorded: Network {
    let runtime = "a record"
    let golden: [Golden]
    let input: String
    let off: Float

    func outputs(_ tensor: [Float]) -> [String: [Float]] {
        let position = golden.first { $0.inputs[input] == tensor } ?? golden[0]
        return position.outputs.mapValues { $0.map { $0 + off } }
    }
}

private struct Refused: Error, CustomStringConvertible {
    let description = "this unit does not run it."
}

/// What a command has written.
private final class Written: @unchecked Sendable {
    private let lock = NSLock()
    private var kept: [String] = []

    var lines: [String] { lock.withLock { kept } }
    func add(_ text: String) { lock.withLock { kept.append(text) } }
}

@Suite(.timeLimit(.minutes(10))) struct SelfTestCommandTests {
    private let tictactoe = Fixtures.bundles.appending(path: "tictactoe").path
    private let said = Written()
    private let complained = Written()

    private func run(
        _ arguments: [String], on units: [Units] = Units.allCases, _ load: Loading? = loadRecorded(0)
    ) async -> SelfTestCommand.Ending {
        await SelfTestCommand(
            device: "a test", units: units, say: { [said] in said.add($0) },
            complain: { [complained] in complained.add($0) }, load: load
        ).run(arguments)
    }

    private static func loadRecorded(_ off: Float) -> Loading {
        { bundle, _ in Recorded(golden: try bundle.golden(), input: bundle.manifest.input.name, off: off) }
    }

    @Test func theTableHasARowForEachUnitAndTheProcessEndsWith0() async throws {
        #expect(await run(["--seconds", "0.01", tictactoe]).rawValue == 0)
        let lines = said.lines
        #expect(complained.lines.isEmpty)
        #expect(lines[0].hasPrefix("tictactoe: ") && lines[0].hasSuffix(", on a test"))
        #expect(lines[1] == "Errors on 20 positions of golden.json: allowed 1.0e-04")
        #expect(
            lines[2]
                == "on                     proof largest error best move ms, half ms, 9 in 10 evaluations/s playouts/s")
        #expect(lines[6].hasPrefix("all                     PASS       0.0e+00  20 of 20     "))
        let rows = lines[3...6]
        let names = rows.map { $0.prefix(22).trimmingCharacters(in: .whitespaces) }
        #expect(names == ["CPU", "CPU and GPU", "CPU and Neural Engine", "all"])
        // Columns end below each other, and every number is one.
        for row in rows {
            #expect(row.count == lines[2].count)
            #expect(row.split(separator: " ").suffix(4).allSatisfy { Double($0) != nil }, "\(row)")
        }
        #expect(lines[7...] == ["PASS"])
    }

    @Test func anErrorBeyondTheLimitEndsWith3AndTheUnitIsNamed() async {
        let ending = await run(["--seconds", "0", tictactoe], on: [.cpu, .cpuAndGpu]) { bundle, units in
            try await Self.loadRecorded(units == .cpu ? 0 : 2e-4)(bundle, units)
        }
        #expect(ending.rawValue == 3)
        #expect(said.lines[3].contains(" PASS "))
        #expect(said.lines[4].contains(" FAIL       2.0e-04 "))
        #expect(said.lines.last == "FAIL on CPU and GPU")
    }

    @Test func aUnitThatDoesNotRunEndsWith3AndTheOthersAreTested() async {
        let ending = await run(["--seconds", "0", tictactoe], on: [.cpu, .all]) { bundle, units in
            if units == .cpu { throw Refused() }
            return try await Self.loadRecorded(0)(bundle, units)
        }
        #expect(ending == .failed)
        #expect(said.lines[3] == "CPU                     FAIL  this unit does not run it.")
        #expect(said.lines[4].contains(" PASS "))
        #expect(said.lines.last == "FAIL on CPU")
    }

    @Test func noUnitsAreNoProof() async {
        #expect(await run([tictactoe], on: []) == .failed)
    }

    @Test(arguments: [
        ([], "give one bundle's folder, not 0: see azx-selftest --help."),
        (["a", "b"], "give one bundle's folder, not 2: see azx-selftest --help."),
        (["--fast", "a"], "there is no option --fast: see azx-selftest --help."),
        (["a", "--seconds"], "--seconds needs a number from 0 to 3600."),
        (["--seconds", "nan", "a"], "--seconds needs a number from 0 to 3600."),
        (
            ["/nowhere/at all"],
            "'/nowhere/at all' has no manifest.json that could be read: give a folder that azx export has made."
        ),
    ])
    func argumentsThatAreNoGoodAreOneSentence(_ arguments: [String], _ sentence: String) async {
        #expect(await run(arguments).rawValue == 2)
        #expect(complained.lines == ["azx-selftest: \(sentence)"])
        #expect(said.lines.isEmpty)
    }

    @Test func aBundleThatIsDamagedIsOneSentenceBeforeAnythingIsTested() async throws {
        let faults: [(String, String)] = [
            ("manifest.json", "its manifest has version"),
            ("golden.json", "'golden.json' has 2 bytes"),
            (Broken.model, "'\(Broken.model)' has 2 bytes"),
        ]
        for (path, sentence) in faults {
            let broken = try Broken()
            try broken.write(Data("{}".utf8), path)
            #expect(await run([broken.folder.path]) == .badInput)
            let line = try #require(complained.lines.last)
            #expect(line.hasPrefix("azx-selftest: Bundle 'tictactoe': \(sentence)"))
        }
        #expect(complained.lines.count == faults.count)
        #expect(said.lines.isEmpty)
    }

    @Test func withoutCoreMLOneSentenceSaysSo() async {
        #expect(await run([tictactoe], on: [], nil).rawValue == 2)
        #expect(complained.lines == ["azx-selftest: Core ML is on Apple's systems only: run this on a Mac."])
    }

    @Test func helpIsSaid() async {
        #expect(await run(["--help"]) == .passed)
        #expect(said.lines == [SelfTestCommand.usage])
    }
}
