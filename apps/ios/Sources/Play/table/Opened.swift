import AzxEngine

/// A bundle that is ready to be played: how its game is read, who thinks, what was remembered of it, and where its games
/// are kept.
@MainActor
public struct Opened {
    public let reading: Reading
    public let thinker: Thinker
    public let memory: Memory
    /// nil where no game is kept.
    let shelf: Shelf?

    /// The library, and the bundle as its games name it.
    public struct Shelf {
        let library: Library
        let opponent: Opponent

        public init(_ library: Library, _ opponent: Opponent) { (self.library, self.opponent) = (library, opponent) }
    }

    public init(_ reading: Reading, _ thinker: Thinker, _ memory: Memory, _ shelf: Shelf? = nil) {
        (self.reading, self.thinker, self.memory, self.shelf) = (reading, thinker, memory, shelf)
    }
}
