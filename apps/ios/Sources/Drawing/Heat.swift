/// How much a network or a search considers each action.
public struct Heat: Equatable, Sendable {
    private static let least = 0.01
    private let shares: [Int: Double]
    private let largest: Double

    /// The shares of a position's actions, 0 to 1; nil where there is no heat to show.
    init(_ shares: [Int: Double]?) {
        self.shares = (shares ?? [:]).filter { $0.value >= Self.least }
        largest = self.shares.values.max() ?? 1
    }

    /// How much an action counts beside the most considered one, 0 to 1; nil below one percent.
    func strength(_ action: Int) -> Double? { shares[action].map { $0 / largest } }

    /// The share in percent; nil below one percent.
    func percent(_ action: Int) -> Int? { shares[action].map { Int((100 * $0).rounded()) } }

    /// What a screen reader says of an action's share; nothing below one percent.
    func said(_ action: Int) -> [Phrase.Part] { percent(action).map { [.words("board_share", .whole($0))] } ?? [] }
}
