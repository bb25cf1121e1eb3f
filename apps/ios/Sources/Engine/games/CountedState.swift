/// What Dots and Boxes and Reversi share: both sides' boxes or discs are counted at the end, and the rules may force a pass.
public protocol CountedState: State {
    /// The boxes or discs of player 0 and of player 1.
    var scores: [Int] { get }
    /// The action that passes, the last one.
    var pass: Int { get }
    /// Whether the player to move has no action but the pass.
    var mustPass: Bool { get }
    /// Why a move that is no pass is illegal for a player who need not pass; nil if it is legal.
    func whyIllegal(move: Int) -> Refusal?
}

extension CountedState {
    public var actions: Int { pass + 1 }

    /// The boxes or discs by which player 0 leads.
    public func score() -> Int { scores[0] - scores[1] }

    public func returns() -> Int { isTerminal ? score().signum() : 0 }

    public func whyIllegal(_ action: Int) -> Refusal? {
        if let outside = refuseOutside(action) { return outside }
        if mustPass { return action == pass ? nil : Refusal(.mustPass) }
        return action == pass ? Refusal(.noPass) : whyIllegal(move: action)
    }
}
