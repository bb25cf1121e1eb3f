/// Records between texts, the library, bundles and tables.

import AzxBundle
import AzxEngine

extension GameRecord {
    /// The game that a text tells, as a record of other people's game; RecordError if there is none.
    public init(telling text: String) throws {
        let record = try Record(text)
        guard let name = record.game else { throw RecordError(.none) }
        let game = try Game.find(name)
        var states = try record.states(try game.begin(record.settings))
        // The pass that Dots and Boxes forces is made at once, as at the table.
        while let last = states.last, isForcedPass(last) { states.append(try last.apply(last.legalActions()[0])) }
        var session = Session(states: states, human: reader, ending: Ending(told: record.result))
        (session.names, session.setUp) = (record.names, record.setUp)
        var identity = Identity(.opened)
        identity.beside = Beside(text, states, setUp: record.setUp)
        self.init(Kept(session, settings: record.settings, identity), game, board: [:])
    }

    /// The first bundle of the app that plays this game, its own before all others; nil if there is none. BundleError if the
    /// index cannot be read. Reads the disk, away from the main actor.
    public nonisolated func find(_ store: Store, _ given: GivenBundles?) async throws -> Installed? {
        find(among: try Installed.all(store, given))
    }

    private func find(among bundles: [Installed]) -> Installed? {
        let own = bundles.filter { $0.entry.name == bundle?.name && $0.isGiven == bundle?.isGiven }
        return (own + bundles).first { each in
            guard each.entry.game == game, let opened = try? GameBundle(each.entry, each.store), opened.problems.isEmpty,
                let reading = opened.readingOrNil
            else { return false }
            return fits(reading)
        }
    }
}

extension Table {
    /// The game as a text: SGF if the game has one, else a line of moves. The names are the record's own if it has some, else
    /// the person's and the network's.
    public func record(you: String, ai: String) -> String? {
        let names = session.names ?? [0, 1].map { $0 == session.human ? you : ai }
        let all = opened.reading.settings.merging(settings) { $1 }
        return Kept(session, settings: all, identity).text(opened.reading.game, names: names)
    }
}
