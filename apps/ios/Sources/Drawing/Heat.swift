/// How much a network or a search considers each action.
public struct Heat: Equatable, Sendable {
    private static let least = 0.01
    private let shares: [Int: Double]
    private let largest: Double
    private let rates: [Int: Double]?

    /// The shares of a position's actions, 0 to 1; nil where there is no heat to show. `rates` are the actions' chances of
    /// winning, 0 to 1; nil where a network alone has the shares, or has no value to tell them by.
    init(_ shares: [Int: Double]?, rates: [Int: Double]? = nil) {
        self.shares = (shares ?? [:]).filter { $0.value >= Self.least }
        self.rates = rates
        largest = self.shares.values.max() ?? 1
    }

    /// How much an action counts beside the most considered one, 0 to 1; nil below one percent.
    func strength(_ action: Int) -> Double? { shares[action].map { $0 / largest } }

    /// The share in percent; nil below one percent.
    func percent(_ action: Int) -> Int? { shares[action].map { Int((100 * $0).rounded()) } }

    /// What is written at an action: its chance of winning where a search tells it, else its share; in percent, nil below
    /// one percent of the share.
    func figure(_ action: Int) -> Int? {
        guard let percent = percent(action) else { return nil }
        return rates?[action].map { Int((100 * $0).rounded()) } ?? percent
    }

    /// What a screen reader says of an action's share; nothing below one percent.
    func speech(_ action: Int) -> [Phrase.Part] { percent(action).map { [.words("board_share", .whole($0))] } ?? [] }
}
