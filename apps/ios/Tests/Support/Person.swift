import AzxBundle
import AzxDrawing
import AzxEngine
import AzxNetwork
import AzxPlay
import AzxScreens
import Foundation

/// Somebody at a table, who does what fingers can do on a phone.
@MainActor
public struct Person {
    public let room: Room
    public let table: Table

    /// Sit down at a room whose table is ready; nil if it is not.
    public init?(_ room: Room) {
        guard let table = room.table else { return nil }
        (self.room, self.table) = (room, table)
    }

    /// What stands above the board.
    public var status: Phrase { AzxScreens.status(table.session, Presentation(game)) }

    /// What is said beside it; nil for nothing.
    public var notice: Phrase? { table.notice.map { sentence($0, table.session.latest) } }

    private var game: String { (try? room.bundle?.reading.game.name) ?? "" }

    /// Tap the middle of a spot as a phone of 390 by 700 points shows it; false if nothing is there.
    public func tap(_ spot: Int) -> Bool {
        guard let board = table.board else { return false }
        let fit = Fit(board, width: 390, height: 700, pixels: 3)
        let middle = fit.place(board.frame(of: spot)).centre
        guard let action = board.action(at: fit.point(x: middle.x, y: middle.y)) else { return false }
        table.play(action)
        return true
    }

    /// The spots that can be played now, in the order of reading.
    public var open: [Int] { table.board?.spoken.filter(\.isButton).map(\.id) ?? [] }

    /// Wait until the network has moved or proposed dead stones, or has failed; false if that takes minutes.
    public func wait() async throws -> Bool {
        try await waitUntil { !table.isThinking && !(table.isScoring && table.counted == nil) }
    }

    /// Wait until the board is coloured by a hint.
    public func waitForHint() async throws -> Bool {
        try await waitUntil { table.heat != nil }
    }

    private func waitUntil(_ isOver: () -> Bool) async throws -> Bool {
        let end = ContinuousClock.now + .seconds(300)
        while !isOver() {
            if ContinuousClock.now > end { return false }
            try await Task.sleep(for: .milliseconds(1))
        }
        return true
    }

    /// Play one spot after the other, passing in Go once so many moves were made, until the game is over; false if it
    /// does not come to an end.
    public func playToTheEnd(passingAfter moves: Int = 30) async throws -> Bool {
        while table.session.phase != .over {
            if table.session.phase == .scoring {
                table.agree()
                guard try await wait(), table.session.phase == .over else { return false }
                break
            }
            let before = table.session.moves
            if before >= moves, passOf(table.session.latest) != nil {
                table.pass()
            } else {
                let open = open
                guard !open.isEmpty, tap(open[before * 7 % open.count]) else { return false }
            }
            guard try await wait(), table.failure == nil, table.session.moves > before else { return false }
        }
        return true
    }
}

/// A network that plays some actions before all others, the first legal one of them first, and says nothing of value.
public struct Scripted: Network {
    public let runtime = "a script"
    private let outputs: [AzxBundle.Output]
    private let actions: [Int]

    public init(_ bundle: GameBundle, _ actions: [Int]) {
        (outputs, self.actions) = (bundle.manifest.outputs, actions)
    }

    public func outputs(_: [Float]) -> [String: [Float]] {
        var found: [String: [Float]] = [:]
        for output in outputs {
            var numbers = [Float](repeating: 0, count: output.port.size)
            if output.role == .policy {
                for (at, action) in actions.enumerated() { numbers[action] = Float(actions.count - at) }
            }
            found[output.name] = numbers
        }
        return found
    }
}

/// A network whose numbers are hashes of what it reads: cheap, the same everywhere, and of no use at any game.
public struct Hashed: Network {
    public let runtime = "a hash"
    private let outputs: [AzxBundle.Output]

    public init(_ bundle: GameBundle) { outputs = bundle.manifest.outputs }

    public func outputs(_ input: [Float]) -> [String: [Float]] {
        var hash: UInt32 = 2_166_136_261
        for number in input { hash = (hash ^ number.bitPattern) &* 16_777_619 }
        var found: [String: [Float]] = [:]
        for output in outputs {
            found[output.name] = (0..<output.port.size).map { at in
                let mixed = (hash ^ UInt32(at)) &* 16_777_619
                return Float(mixed >> 8 & 0xffff) / 0xffff
            }
        }
        return found
    }
}
