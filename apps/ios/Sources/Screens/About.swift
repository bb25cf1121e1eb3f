import AzxDrawing
import AzxEngine
import AzxPlay

/// What a record has beside its moves: facts of the game, a comment on the shown position, and the lines from there.
public struct About: Equatable, Sendable {
    /// A fact of the record, with its title.
    public struct Fact: Equatable, Identifiable, Sendable {
        public let title: Phrase
        public let text: String

        public var id: String { title.key }
    }

    /// A move that begins or continues a line from the shown position.
    public struct Branch: Equatable, Identifiable, Sendable {
        public let id: Int
        public let move: Phrase.Part
    }

    public let facts: [Fact]
    /// The comment on the shown position; nil if there is none.
    public let comment: String?
    public let branches: [Branch]
    /// How many moves of variations were left out; nil if none was.
    public let leftOut: Phrase?

    /// SGF's properties and their titles, in the order on the screen.
    static let told = [
        ("GN", "told_name"), ("EV", "told_event"), ("RO", "told_round"), ("PC", "told_place"), ("DT", "told_date"),
        ("BR", "told_first_rank"), ("WR", "told_second_rank"), ("RE", "told_result"), ("KM", "told_komi"),
        ("RU", "told_rules"), ("GC", "told_comment"),
    ]
}

extension Table {
    public var about: About {
        let (beside, told) = (identity.beside, About.told)
        // The komi by which other people's game is counted here, if its record has none.
        let komi = session.isRead ? (session.states[0] as? Go).map { ["KM": "\(Json.number($0.komi))"] } : nil
        let facts = beside.told.merging(komi ?? [:]) { one, _ in one }
        let found = told.compactMap { key, title in facts[key].map { About.Fact(title: Phrase(title), text: $0) } }
        if !isReplay { return About(facts: found, comment: nil, branches: [], leftOut: nil) }
        let (moves, from, state) = (line?.moves ?? [], line?.from ?? session.ply, displayed.visible)
        return About(
            facts: found, comment: line == nil ? beside.comments[from] : beside.comment(after: moves, from: from),
            branches: beside.branches(after: moves, from: from).map {
                About.Branch(id: $0, move: .opening(AzxDrawing.move($0, state)))
            },
            leftOut: beside.leftOut > 0 ? Phrase("record_left_out", .whole(beside.leftOut)) : nil)
    }
}
