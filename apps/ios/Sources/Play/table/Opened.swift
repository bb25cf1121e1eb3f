import AzxEngine

/// A bundle that is ready to be played: how its game is read, who thinks, what was remembered of it, and where its games
/// are kept.
@MainActor
public struct Opened {
    public let reading: Reading
    public let thinker: Thinker
    public let memory: Memory
    /// nil if no game is kept.
    let shelf: Shelf?
    /// Has the network of a side at hand, beside the one that is open; nil if there is no other.
    private let others: (@MainActor (GameRecord.Side) async throws -> Thinker)?

    /// The library, and the bundle as its games name it.
    public struct Shelf {
        let library: Library
        let opponent: Opponent

        public init(_ library: Library, _ opponent: Opponent) { (self.library, self.opponent) = (library, opponent) }
    }

    public init(
        _ reading: Reading, _ thinker: Thinker, _ memory: Memory, _ shelf: Shelf? = nil,
        others: (@MainActor (GameRecord.Side) async throws -> Thinker)? = nil
    ) {
        (self.reading, self.thinker, self.memory, self.shelf) = (reading, thinker, memory, shelf)
        self.others = others
    }

    /// Who thinks for a side of a game between two networks; an error if that is not there any more.
    func seat(_ side: GameRecord.Side) async throws -> Thinker { try await others?(side) ?? thinker }
}
