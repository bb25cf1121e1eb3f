/// The games that this app saved before it had a library: the last one of each bundle.

import AzxBundle
import AzxEngine
import Foundation

extension SavedGame {
    /// The game on the board that a network reads; nil if it is not sound for it.
    func kept(_ reading: Reading, _ identity: Identity) -> Kept? {
        // With any other setting the network could not read the board.
        guard Choices.freeSettings(reading.game.name).isSuperset(of: settings.keys),
            let start = try? reading.start(settings), let session = session(start)
        else { return nil }
        return Kept(session, settings: settings, identity)
    }
}

extension Memory {
    /// Move the game that was saved for a bundle into the library, and forget it once it is on the disk. Nothing happens if
    /// there is no sound one.
    public func adopt(_ reading: Reading, _ opponent: Opponent, in library: Library) async {
        guard let text = game, let saved = SavedGame(text) else { return }
        // The same name at each try, so that the game exists once.
        let id = String(sha256(Data("\(opponent.bundle.name) \(text)".utf8)).prefix(16))
        let origin: GameRecord.Origin = saved.human == nobody ? .watched : .played
        let identity = Identity(id: id, begun: GameRecord.text(of: .now), origin: origin)
        if library[id] == nil, let kept = saved.kept(reading, identity) {
            library.keep(GameRecord(kept, reading.game, board: reading.settings, opponent, choices.strength))
            await library.settle()
        }
        if library[id] != nil, library.trouble == nil { forgetGame() }
    }
}
