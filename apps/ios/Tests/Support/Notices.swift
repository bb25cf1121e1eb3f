import AzxPlay

extension Notice {
    /// The moves that a hint names; nil for another notice.
    public var hinted: [Int]? {
        switch self {
        case .hint(let action, _, _), .lost(let action): [action]
        case .equal(let actions, _): actions
        default: nil
        }
    }

    /// The chance that a hint says; nil if it says none.
    public var chance: Double? {
        switch self {
        case .hint(_, _, let rate), .equal(_, let rate): rate
        default: nil
        }
    }
}
