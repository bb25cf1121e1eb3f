import AzxEngine
import Support
import Testing

@testable import AzxPlay

@Suite struct ToneTests {
    private func session(_ game: String, _ actions: [Int]) throws -> Session {
        try actions.reduce(Session(try Fixtures.after(game, .null, []), human: 0)) { try $0.play($1) }
    }

    /// Neither end of a tone jumps, and nothing is louder than a loudspeaker can be.
    @Test(arguments: zip(Tone.allCases, [0.09, 0.19, 0.68])) func aTone(_ tone: Tone, _ seconds: Double) {
        let samples = tone.samples()
        #expect(abs(Double(samples.count) - seconds * Tone.rate) < 2)
        #expect(samples.allSatisfy { -1...1 ~= $0 } && samples.contains { abs($0) > 0.3 })
        #expect(samples[0] == 0 && abs(samples[samples.count - 1]) < 0.001)
    }

    @Test func aMoveACaptureAndTheEndSoundEachInItsOwnWay() throws {
        let begun = try session("go", [])
        let placed = try session("go", [1, 0])
        #expect(Tone(from: begun, to: placed) == .place)
        #expect(Tone(from: placed, to: try placed.play(9)) == .capture)
        #expect(Tone(from: placed, to: try placed.play(81).play(81)) == .end)
        let dots = try session("dots_and_boxes", [0, 3, 12])
        #expect(Tone(from: dots, to: try dots.play(13)) == .capture)
    }

    @Test func whatIsNoMoveIsNotHeard() throws {
        let played = try session("tictactoe", [4, 0])
        #expect(Tone(from: played, to: played) == nil)
        #expect(Tone(from: played, to: played.undo()) == nil)
        #expect(Tone(from: played, to: played.show(0)) == nil)
        #expect(Tone(from: played, to: played.resign()) == nil)
        #expect(Tone(from: try session("tictactoe", [8]), to: played) == nil, "another game")
    }
}
