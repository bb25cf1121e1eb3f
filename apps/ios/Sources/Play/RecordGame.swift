/// Games between records and tables.

import AzxBundle
import AzxEngine

/// A record's game, as the text of a SavedGame, and the bundle that plays it.
public struct RecordGame: Sendable {
    public let entry: Entry
    /// Where the bundle lies.
    public let store: Store
    public let text: String

    /// The game of a record, for the first bundle that plays it; RecordError where there is none. Reads the disk.
    public init(_ text: String, in stores: [Store]) throws {
        let record = try Record(text)
        guard let name = record.game else { throw RecordError(.none) }
        let game = try Game.find(name)
        var states = try record.states(try game.begin(record.settings))
        // The pass that Dots and Boxes forces is made at once, as at the table.
        while isForcedPass(states[states.count - 1]) {
            let last = states[states.count - 1]
            states.append(try last.apply(last.legalActions()[0]))
        }
        let entries = try stores.flatMap { store in try readIndex(store).map { ($0, store) } }
        for (entry, store) in entries where entry.game == name {
            guard let bundle = try? GameBundle(entry, store), bundle.problems.isEmpty,
                let reading = bundle.readingOrNil, let settings = settings(of: record, beside: reading)
            else { continue }
            // A person goes on with the side that is to move.
            let last = states[states.count - 1]
            let session = Session(states: states, human: last.isTerminal ? 0 : last.toMove)
            (self.entry, self.store) = (entry, store)
            self.text = SavedGame(session, settings: settings).text
            return
        }
        throw RecordError(.noNetwork, what: name)
    }
}

/// The settings of a record beside those of a network; nil where these are others.
private func settings(of record: Record, beside reading: Reading) -> Settings? {
    let game = reading.game
    let all = Settings(uniqueKeysWithValues: game.settings.map { ($0.name, record.settings[$0.name] ?? $0.usual) })
    guard reading.settings.allSatisfy({ all[$0.key] == $0.value }) else { return nil }
    return all.filter { Choices.freeSettings(game.name).contains($0.key) }
}

extension Table {
    /// The game as a record: SGF where there is such, else a line of moves. The names are the person's and the network's.
    public func record(you: String, ai: String) -> String? {
        let (game, own) = (opened.reading.game, opened.reading.settings)
        let names = [0, 1].map { $0 == session.human ? you : ai }
        let resigned = session.ending == .resigned ? session.human : nil
        let dead = if case .agreed(let stones) = session.ending { stones } else { [Int]() }
        let all = own.merging(settings) { $1 }
        let written = try? WrittenGame(game, all, session.states, resigned: resigned, names: names, dead: dead)
        return written.map { $0.sgf ?? $0.line }
    }
}
