/// What is wrong with a move, a game or a network's description: one sentence that a player can read.
public struct GameError: Error, Equatable, CustomStringConvertible {
    public let sentence: String

    public init(_ sentence: String) {
        self.sentence = sentence
    }

    public var description: String { sentence }
}
