import AzxDrawing
import AzxPlay

/// A new game, whose terms are asked first: how strong the network is, and who begins. The one on the board stays in the
/// library.
extension Seat {
    public func restart() { terms = table.choices }

    /// Begin the new game by the terms.
    public func begin() {
        guard let chosen = terms else { return }
        terms = nil
        table.restart(chosen)
    }
}
