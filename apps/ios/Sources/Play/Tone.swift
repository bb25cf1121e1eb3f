import AzxEngine
import Foundation

/// The sound of a move, or of the end of a game: short tones that are computed here, the same as the Android app's.
public enum Tone: CaseIterable, Sendable {
    case place, capture, end

    /// Samples a second.
    public static let rate = 22050.0
    private static let attack = 0.004
    private static let loudness = 0.45

    /// A tone of `frequency` hertz that begins after `start` seconds and fades over `length` seconds.
    private struct Note {
        let frequency: Double
        let start: Double
        let length: Double
    }

    private var notes: [Note] {
        switch self {
        case .place: [Note(frequency: 620, start: 0, length: 0.09)]
        case .capture:
            [Note(frequency: 620, start: 0, length: 0.09), Note(frequency: 930, start: 0.07, length: 0.12)]
        case .end:
            [
                Note(frequency: 523.25, start: 0, length: 0.25), Note(frequency: 659.25, start: 0.14, length: 0.25),
                Note(frequency: 783.99, start: 0.28, length: 0.4),
            ]
        }
    }

    /// The tone, each sample from -1 to 1.
    public func samples() -> [Float] {
        let seconds = notes.map { $0.start + $0.length }.max() ?? 0
        var sum = [Double](repeating: 0, count: Int(Self.rate * seconds))
        for note in notes { Self.add(note, to: &sum) }
        return sum.map { Float(min(1, max(-1, $0))) }
    }

    private static func add(_ note: Note, to sum: inout [Double]) {
        let (first, count) = (Int(note.start * rate), Int(note.length * rate))
        for at in 0..<min(count, sum.count - first) {
            let time = Double(at) / rate
            // A jump at either end of a tone would click.
            let swell = min(1, time / attack)
            let fade = exp(-5 * time / note.length) * (1 - Double(at) / Double(count))
            sum[first + at] += loudness * swell * fade * sin(2 * .pi * note.frequency * time)
        }
    }

    /// The sound of the moves between two shown sessions; nil if no move was made, as in a walk through a game.
    public init?(from before: Session, to after: Session) {
        let known = before.actions.prefix(before.ply)
        guard after.ply > before.ply, after.actions.starts(with: known), after.actions != before.actions else { return nil }
        let new = after.states[before.ply + 1...after.ply]
        self = after.visible.isTerminal ? .end : new.contains(where: isCapture) ? .capture : .place
    }
}

private func isCapture(_ state: any State) -> Bool {
    switch state {
    case let state as Go: !state.lastCaptured.isEmpty
    case let state as DotsAndBoxes: !state.completed.isEmpty
    default: false
    }
}
