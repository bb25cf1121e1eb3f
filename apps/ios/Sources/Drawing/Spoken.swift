/// A spot as a screen reader finds it.
public struct Spoken: Equatable, Identifiable, Sendable {
    /// The spot.
    public let id: Int
    /// What is said of it, one after the other.
    public let said: [Phrase.Part]
    /// Where it is, in units of the board.
    public let frame: Box
    /// What choosing it plays, legal or not: a reason why not is said, too.
    public let action: Int
    /// Whether it can be played now.
    public let isButton: Bool
}

extension Board {
    /// Every spot in the order of reading: from above, and from the left in each row.
    public var spoken: [Spoken] {
        let all = (0..<spots).map { spot in
            Spoken(
                id: spot, said: speech(of: spot), frame: frame(of: spot), action: action(of: spot),
                isButton: isOpen(spot))
        }
        // Sums that should be the same can differ in their last digits.
        let place = { (spoken: Spoken) in
            let centre = spoken.frame.centre
            return ((centre.y * 64).rounded(), centre.x)
        }
        return all.sorted { place($0) < place($1) }
    }

    /// The nearest spot ahead of another one in a direction, sideways counting double; nil if there is none.
    public func spot(beside spot: Int, right: Double, down: Double) -> Int? {
        let start = frame(of: spot).centre
        var found: (spot: Int, far: Double)?
        for each in 0..<spots {
            let centre = frame(of: each).centre
            let ahead = (centre.x - start.x) * right + (centre.y - start.y) * down
            let aside = abs((centre.x - start.x) * down) + abs((centre.y - start.y) * right)
            let far = ahead + 2 * aside
            if ahead > 0.01, far < found?.far ?? .infinity { found = (each, far) }
        }
        return found?.spot
    }
}
