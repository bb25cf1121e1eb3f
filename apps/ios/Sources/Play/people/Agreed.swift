/// What two people choose before their game, and the game that begins with it.

import AzxEngine

/// What two people choose before a game. Names may be empty; minutes of 0 are no clock.
public struct Agreed: Equatable, Sendable {
    /// The choices of minutes for a game, and of seconds that each move adds.
    public static let minutes = [0, 1, 3, 5, 10, 20, 60]
    public static let seconds = [0, 2, 5, 10, 30]
    /// The most letters of a name.
    public static let longestName = 40

    public var names = ["", ""]
    public var isUndoAsked = false
    public var minutes = 0
    public var increment = 0

    public init(names: [String] = ["", ""], isUndoAsked: Bool = false, minutes: Int = 0, increment: Int = 0) {
        (self.names, self.isUndoAsked, self.minutes, self.increment) = (names, isUndoAsked, minutes, increment)
    }
}

extension Game {
    /// A game of two people that begins at the last of `states`; the moves before place the set-up position.
    public func begin(_ settings: Settings, from states: [any State], _ agreed: Agreed) -> Kept {
        let names = agreed.names.map { name in
            String(name.split(separator: " ").joined(separator: " ").prefix(Agreed.longestName))
        }
        var identity = Identity(.played)
        identity.sides = names.map { GameRecord.Side(kind: .person, name: $0) }
        let clock = agreed.minutes > 0 ? Clock(base: 60 * agreed.minutes, increment: agreed.increment) : nil
        identity.shared = Shared(isUndoAsked: agreed.isUndoAsked, clock: clock)
        var session = Session(states: states, human: both)
        (session.names, session.setUp) = (names, states.count - 1)
        return Kept(session, settings: settings, identity)
    }
}
