import AzxBundle
import AzxEngine
import AzxNetwork
import Foundation
import Support
import Testing

@testable import AzxPlay

/// The recorded answers, changed by `change`.
private struct Recorded: Network {
    let runtime = "a record"
    let golden: [Golden]
    let input: String
    let change: @Sendable (_ name: String, _ numbers: [Float]) -> [Float]?

    init(_ bundle: GameBundle, _ change: @escaping @Sendable (String, [Float]) -> [Float]? = { $1 }) throws {
        golden = try bundle.golden()
        input = bundle.manifest.input.name
        self.change = change
    }

    func outputs(_ tensor: [Float]) throws -> [String: [Float]] {
        let position = golden.first { $0.inputs[input] == tensor } ?? golden[0]
        var found: [String: [Float]] = [:]
        for (name, numbers) in position.outputs { found[name] = change(name, numbers) }
        return found
    }
}

@Suite(.timeLimit(.minutes(10))) struct SelfTestTests {
    private let bundle: GameBundle

    init() throws {
        bundle = try Fixtures.bundle(Fixtures.bundles.appending(path: "tictactoe"))
    }

    private func find(_ change: @escaping @Sendable (String, [Float]) -> [Float]?) async throws -> Found {
        try await compare(bundle.golden(), bundle.manifest, Recorded(bundle, change))
    }

    @Test func theRecordedAnswersPassWithoutAnError() async throws {
        let found = try await find { $1 }
        #expect(found == Found(positions: 20, largestError: 0, sameBest: 20, withBest: 20))
        #expect(found.passed)
    }

    @Test func anOutputThatIsOffFails() async throws {
        let found = try await find { [$1[0] + 2e-4] + $1.dropFirst() }
        #expect(abs(found.largestError - 2e-4) < 2e-6)
        #expect(!found.passed)
    }

    @Test func aMissingOrAShortOutputAndWhatIsNoNumberFail() async throws {
        let wrong: [@Sendable (String, [Float]) -> [Float]?] = [
            { _, _ in nil }, { Array($1.prefix(3)) }, { [.nan] + $1.dropFirst() },
        ]
        for change in wrong {
            let found = try await find(change)
            #expect(found.largestError == .infinity)
            #expect(!found.passed)
        }
    }

    @Test func anotherBestMoveFails() async throws {
        let found = try await find { $1.map { -$0 } }
        #expect(found.sameBest < found.withBest)
        #expect(!found.passed)
    }

    @Test func aMoveIsAsGoodWhereTheRecordSaysSoToWithinTheTolerance() async throws {
        let policy = try #require(bundle.manifest.output(.policy)).name
        // All moves alike: the lowest legal one is chosen.
        let found = try await find { $1.map { _ in 0 } }
        let asGood = try bundle.golden().filter { golden in
            let recorded = try #require(golden.outputs[policy])
            return recorded[try #require(golden.best)] - recorded[try #require(golden.legal?.first)] <= 1e-4
        }
        #expect(found.sameBest == asGood.count)
        #expect(asGood.count < 20)
    }

    @Test func noPositionsAreNoProof() {
        #expect(!Found(positions: 0, largestError: 0, sameBest: 0, withBest: 0).passed)
    }

    @Test func theTextTellsEverythingThatWasFound() throws {
        let checkpoint = bundle.manifest.checkpoint
        func text(_ found: Found) -> String {
            let times = Times(p50: 0.41, p90: 0.5, perSecond: 2400.4)
            return Tested(
                bundle: bundle, device: "a phone", runtime: "a runtime", found: found, times: times,
                playoutsPerSecond: 2300.6
            ).text
        }
        #expect(
            text(Found(positions: 20, largestError: 2e-6, sameBest: 20, withBest: 20)) == """
                azx self-test: PASS
                Bundle: tictactoe (tictactoe, \(checkpoint.file) \(checkpoint.sha256.prefix(12)))
                Device: a phone
                Runtime: a runtime
                Positions: 20
                Largest error: 2.0e-06, allowed 1.0e-04
                Best move: 20 of 20
                One evaluation: p50 0.41 ms, p90 0.50 ms
                Evaluations a second: 2400
                Playouts a second: 2301
                """)
        let failed = text(Found(positions: 20, largestError: 1, sameBest: 0, withBest: 0))
        #expect(failed.hasPrefix("azx self-test: FAIL"))
        #expect(failed.contains("Best move: no policy"))
    }

    /// A bundle that has half precision as well, and plays `artifact`.
    private func half(_ artifact: String, passed: Bool = true) throws -> (GameBundle, Broken) {
        let broken = try Broken()
        let (whole, own) = ("tictactoe.mlpackage", "half.mlpackage")
        try FileManager.default.copyItem(at: broken.folder.appending(path: whole), to: broken.folder.appending(path: own))
        let files = try ["Manifest.json", "Data/com.apple.CoreML/model.mlmodel", "Data/com.apple.CoreML/weights/weight.bin"]
            .map { try Fixtures.fileEntry(broken.folder, "\(own)/\($0)") }
        let listed = files.map { #"{"path": "\#($0.path)", "sha256": "\#($0.sha256)", "size": \#($0.size)},"# }.joined()
        let limits = #"{"value_max": 0.05, "best_move": 0.98, "margin": 0.01}"#
        try broken.edit(
            #""artifacts": ["#,
            #""artifacts": [{"format": "coreml", "path": "half.mlpackage", "precision": "fp16", "gate": {"passed": \#(passed), "limits": \#(limits)}},"#)
        try broken.edit(
            #""files": ["#, #""files": [\#(listed)"#)
        let entry = try Fixtures.entry(broken.folder, artifact: artifact)
        return (try GameBundle(entry, Store(broken.folder.deletingLastPathComponent())), broken)
    }

    @Test func whatIsPlayedInALowerPrecisionIsTestedByItsOwnLimits() async throws {
        let (bundle, broken) = try half("half.mlpackage")
        #expect(bundle.lower?.precision == "fp16")
        #expect(try bundle.model().lastPathComponent == "half.mlpackage")
        // Farther off than what is to be equal may be.
        let network = try Recorded(bundle) { $1.map { 1.01 * $0 } }
        let tested = try #require(try await selfTest(bundle, network, device: "this machine", seconds: 0.05))
        #expect(tested.passed && tested.found.largestError > Found.tolerance)
        #expect(tested.text.contains("allowed in fp16: win rate 5.0e-02, best moves kept 98.0 %"))
        withExtendedLifetime(broken) {}
    }

    @Test func whatIsOutsideItsGateOrIsNotListedIsNotPlayed() throws {
        for (artifact, passed) in [("half.mlpackage", false), ("other.mlpackage", true), ("tictactoe.mlpackage", true)] {
            let (bundle, broken) = try half(artifact, passed: passed)
            #expect(bundle.lower == nil)
            #expect(try bundle.model().lastPathComponent == "tictactoe.mlpackage")
            withExtendedLifetime(broken) {}
        }
    }

    @Test func anApproximationMayBeOffAsFarAsItsGateAllowsAndNoFarther() async throws {
        let connect4 = try Fixtures.bundle(Fixtures.bundles.appending(path: "connect4"))
        func passes(_ name: String, _ change: @escaping @Sendable (Float) -> Float) async throws -> Bool {
            let network = try Recorded(connect4) { $0 == name ? $1.map(change) : $1 }
            let limits = Limits(valueMax: 0.05, bestMove: 0.98, margin: 0.01)
            return try await judge(try connect4.golden(), connect4.manifest, limits, network).passed
        }
        // Half of a value's change is the win rate's.
        #expect(try await passes("value_head") { $0 + 0.09 })
        #expect(try await !passes("value_head") { $0 + 0.11 })
        #expect(try await !passes("value_head") { _ in .nan })
        // The same moves are the best ones, then the worst ones.
        #expect(try await passes("policy_head") { 1.5 * $0 })
        #expect(try await !passes("policy_head") { -$0 })
        #expect(try await !passes("policy_head") { _ in .nan })
    }

    @Test func aTestIsMadeAndOneThatIsEndedHasNoResult() async throws {
        let network = try Recorded(bundle)
        let tested = try await selfTest(bundle, network, device: "this machine", seconds: 0.05)
        #expect(tested?.passed == true)
        #expect((tested?.playoutsPerSecond ?? 0) > 0)
        let bundle = bundle
        let running = Task { try await selfTest(bundle, network, device: "this machine", seconds: 600) }
        running.cancel()
        #expect(try await running.value == nil)
    }
}
