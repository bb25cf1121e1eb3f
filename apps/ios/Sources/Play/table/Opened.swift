import AzxEngine

/// A bundle that is ready to be played: how its game is read, who thinks, and what was remembered of it.
@MainActor
public struct Opened {
    public let reading: Reading
    public let thinker: Thinker
    public let memory: Memory

    public init(_ reading: Reading, _ thinker: Thinker, _ memory: Memory) {
        self.reading = reading
        self.thinker = thinker
        self.memory = memory
    }

    /// The game of a text, and the settings chosen for it; nil where it is not sound for this bundle.
    func restore(_ text: String?) -> (session: Session, settings: Settings)? {
        // Any other setting would be a board that the network does not read.
        guard let game = text.flatMap({ SavedGame($0) }),
            Choices.freeSettings(reading.game.name).isSuperset(of: game.settings.keys),
            let start = try? reading.start(game.settings), let session = game.session(start)
        else { return nil }
        return (session, game.settings)
    }
}
