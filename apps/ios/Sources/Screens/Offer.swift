import AzxBundle
import AzxEngine
import AzxPlay

/// Another network for the game on the board, which has just come and reads the same board.
///
/// Its strength is not shown: no bundle tells how it plays against another bundle's network (docs/strength.md).
extension Room {
    /// Whether another network can continue the game from the shown position. It cannot if the game is over there, or if two
    /// networks play each other.
    public func canGoOn(with other: Installed) async -> Bool {
        guard let table, let bundle, table.sides == nil, !table.displayed.visible.isTerminal,
            table.session.phase != .over || table.canPlayFromHere
        else { return false }
        guard let found = try? await readBundle(other, nil), let reading = found.readingOrNil else { return false }
        return table.gameRecord.fits(reading) && found.manifest.checkpoint.sha256 != bundle.manifest.checkpoint.sha256
    }

    /// The board on which the game continues with it.
    public func goOn(with other: Installed) -> Place {
        table?.handOver().map { .board(other, game: $0) } ?? .newGame(other)
    }
}
