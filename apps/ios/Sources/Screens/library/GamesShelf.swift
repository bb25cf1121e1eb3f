import AzxBundle
import AzxDrawing
import AzxEngine
import AzxPlay
import Foundation
import Observation

/// The list of all games, with a search, two filters, and deletions that can be undone.
@MainActor
@Observable
public final class GamesShelf {
    /// The texts of a row of the list.
    @MainActor public struct Row {
        public let players: String
        public let result: String
        public let about: String

        public init(_ record: GameRecord, _ telling: Telling) {
            (players, result) = (record.called(telling), telling.say(record.result))
            about = record.about(telling)
        }

        /// What a screen reader says.
        public var said: String { [players, result, about].joined(separator: ", ") }
    }

    /// What a person looks for.
    public var sought = ""
    /// Filters: the name of a game, and the standing of games; nil shows all.
    public var game: String?
    public var standing: Standing?
    /// The one that was deleted last, for as long as it can be brought back.
    public private(set) var deleted: GameRecord?
    /// What came of the last import; nil before one.
    private var imported: Imported?
    /// Why a game cannot be shown, or none was imported; nil if nothing is wrong.
    private var complaint: Phrase.Part?
    @ObservationIgnored private let library: Library

    public init(_ library: Library) { self.library = library }

    public var isRead: Bool { library.isRead }
    public var isEmpty: Bool { library.list.isEmpty }

    /// The games that have records, with their titles; none if there is nothing to choose.
    public var games: [(name: String, title: Phrase.Part)] {
        let found = library.list.reduce(into: [(name: String, title: Phrase.Part)]()) { found, record in
            if !found.contains(where: { $0.name == record.game }) { found.append((record.game, record.gameTitle)) }
        }
        return found.count > 1 ? found : []
    }

    /// The standings of the games; none if there is nothing to choose.
    public var standings: [Standing] {
        let there = Set(library.list.map { Standing($0) })
        return there.count > 1 ? Standing.allCases.filter(there.contains) : []
    }

    /// Notices about the library: games are not saved, files are damaged, the result of an import, why a game cannot be shown.
    public var notices: [Phrase.Part] {
        let damaged: Phrase.Part? = library.damaged > 0 ? .words("library_unread", .whole(library.damaged)) : nil
        return [library.trouble.map { .phrase(sentence($0)) }, damaged, complaint].compactMap { $0 }
            + (imported.map(sentences) ?? [])
    }

    /// The games that fit the filters and have every word of the search, the last changed first.
    public func found(_ telling: Telling) -> [GameRecord] {
        let words = sought.lowercased().split(whereSeparator: \.isWhitespace)
        let fitting = library.list.filter { record in
            (game ?? record.game) == record.game && (standing.map { Standing(record) == $0 } ?? true)
        }
        if words.isEmpty { return fitting }
        return fitting.filter { record in
            let texts = Array(record.beside.told.values) + Array(record.beside.comments.values)
            let text = ([Row(record, telling).said] + texts).joined(separator: " ").lowercased()
            return words.allSatisfy { text.contains($0) }
        }
    }

    public func open() async { await library.open() }

    public func delete(_ id: String) {
        guard let record = library[id] else { return }
        deleted = record
        library.remove(id)
    }

    /// What was deleted: "Deleted: You – AI, Go."
    public func farewell(_ telling: Telling) -> String? {
        deleted.map { record in
            telling.say(.words("library_deleted", .text(record.called(telling)), record.gameTitle))
        }
    }

    /// Bring the one back that was deleted last.
    public func undo() {
        // Another window may have continued the game, which restores it.
        if let deleted, library[deleted.id]?.goesOn(from: deleted) != true { library.keep(deleted) }
        deleted = nil
    }

    // MARK: All of them

    /// All games as a .zip, and what its file is to be called.
    public func export() async -> (name: String, zip: Data) {
        ("azx-games-\(Date().formatted(.iso8601.year().month().day())).zip", await library.export())
    }

    /// Have the games of an exported .zip in the library.
    public func take(_ url: URL) async {
        (imported, complaint) = (nil, nil)
        do {
            imported = try await library.take(url)
        } catch {
            complaint = describe(error, otherwise: "error_ask")
        }
    }

    /// A file could not be chosen, or not be written.
    public func refuse(_ error: any Error) { complaint = .text(error.localizedDescription) }

    /// The board of a game, with the bundle that plays it, or one that could; nil if there is none, which a notice explains.
    public func place(of id: String, _ store: Store, _ given: GivenBundles?) async -> Place? {
        guard let record = library[id] else { return nil }
        complaint = nil
        if record.isOfTwo { return .shared(game: id) }
        do {
            if let bundle = try await record.find(store, given) { return .board(bundle, game: id) }
            throw RecordError(.noNetwork, what: record.game)
        } catch {
            complaint = describe(error)
            return nil
        }
    }
}

/// What came of an import.
func sentences(_ imported: Imported) -> [Phrase.Part] {
    let more = [("library_known", imported.known), ("library_unread", imported.refused)].filter { $0.1 > 0 }
    return ([("library_imported", imported.taken)] + more).map { .words($0, .whole($1)) }
}

/// The board of the position that a game has come to, to be drawn small; nil if the game is damaged.
public nonisolated func lastBoard(_ record: GameRecord) async -> (any Board)? {
    record.last.flatMap { last in
        let move = record.actions.count > record.setUp ? last.lastAction : nil
        return try? board(Shown(last, human: record.human, last: move, canPlay: false))
    }
}
