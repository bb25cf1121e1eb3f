/// The choice by lower bound: of the moves visited often, the one that is best even if its mean is too high.
///
/// A mean of n values with variance s^2 is off by sqrt(s^2 / n) on average, its standard error. A move's bound is its mean
/// less a number of standard errors. A high mean of few visits may be luck, and many visits may be from a time when the
/// move looked better. Leela Zero and KataGo choose this way. KataGo takes 5 standard errors and moves with at least 0.15
/// of the most visits. The variance of few values is uncertain, so 1 / n^3 is added to it, about what KataGo adds.
enum LowerBound {
    /// Moves with less than this share of the most visits are not chosen, however good they look.
    static let share = 0.15

    /// The mean of `visits` values less `errors` standard errors.
    ///
    /// `total` is the sum of the values and `squares` the sum of their squares. Each operation rounds once, in this order, so
    /// that the bound is the same in every language.
    static func of(_ visits: Int, total: Double, squares: Double, errors: Double) -> Double {
        let count = Double(visits)
        let mean = total / count
        let variance = max(0, squares / count - mean * mean) + 1 / (count * count * count)
        return mean - errors * (variance / count).squareRoot()
    }
}
