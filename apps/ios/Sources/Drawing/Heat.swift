/// How much a network or a search considers each action.
public struct Heat: Equatable, Sendable {
    private static let least = 0.01
    private let shares: [Int: Double]
    private let largest: Double
    private let rates: [Int: Double]?
    private let points: [Int: Int]?

    /// The shares (0 to 1) of a position's actions; nil if no heat is shown. `rates` are the person's chances after the actions;
    /// nil if the shares are a policy's, or the network has no value. `points` are what each loses against the best one; nil if only
    /// chances are known.
    init(_ shares: [Int: Double]?, rates: [Int: Double]? = nil, points: [Int: Int]? = nil) {
        self.shares = (shares ?? [:]).filter { $0.value >= Self.least }
        (self.rates, self.points) = (rates, points)
        largest = self.shares.values.max() ?? 1
    }

    /// How much an action counts beside the most considered one, 0 to 1; nil below one percent.
    func strength(_ action: Int) -> Double? { shares[action].map { $0 / largest } }

    /// The chance after an action if a search gives it, else its share; in percent, nil if the share is below one percent.
    func percent(_ action: Int) -> Int? {
        shares[action].map { Int((100 * (rates?[action] ?? $0)).rounded()) }
    }

    /// The figure at an action: points against the best one if known, else percents.
    func figure(_ action: Int) -> String? {
        guard let percent = percent(action) else { return nil }
        return points?[action].map(signed) ?? String(percent)
    }

    /// What a screen reader says of an action, the same as its figure; empty if the share is below one percent.
    func speech(_ action: Int) -> [Phrase.Part] {
        guard let percent = percent(action) else { return [] }
        if let gained = points?[action] { return [.words("board_against", .text(signed(gained)))] }
        return [.words(rates?[action] == nil ? "board_share" : "board_rate", .whole(percent))]
    }
}

/// "+2", "0", "−3".
public func signed(_ points: Int) -> String { "\(points > 0 ? "+" : points < 0 ? "−" : "")\(points.magnitude)" }
