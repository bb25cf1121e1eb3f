/// A reading in plain words: whose pieces are what, and how the board lies in the input.

import AzxBundle
import AzxDrawing
import AzxEngine

/// A reading that fits, as a choice: its description and its name.
public struct ReadingRow: Equatable, Identifiable, Sendable {
    /// nil for the assumed one.
    public let name: String?
    public let reading: Phrase.Part
    public let about: Phrase.Part
    public let isChosen: Bool

    public var id: String { name ?? "" }
}

extension Doubt {
    /// That it is only assumed, or what a person has chosen.
    var phrase: Phrase {
        guard let found = others.first(where: { $0.name == chosen }) else {
            return Phrase(!board ? "reading_outputs_alone" : outputs ? "reading_outputs_assumed" : "reading_assumed")
        }
        let says = outputs ? "reading_chosen_outputs" : "reading_chosen"
        return Phrase(says, describe(found.encoding, saysRows: saysRows))
    }

    /// The assumed one first; none if there is nothing to choose.
    var rows: [ReadingRow] {
        if others.isEmpty { return [] }
        let own = row(nil, assumed, .words("reading_usual"))
        return [own] + others.map { row($0.name, $0.encoding, .text($0.name)) }
    }

    private func row(_ name: String?, _ encoding: Encoding, _ about: Phrase.Part) -> ReadingRow {
        ReadingRow(
            name: name, reading: describe(encoding, saysRows: saysRows), about: about, isChosen: name == chosen)
    }

    /// If rows lie differently in one of them, each says how.
    private var saysRows: Bool { assumed.flip || others.contains { $0.encoding.flip } }
}

/// "+1 the player to move, −1 the opponent; bottom row first"; the order of rows is named if `saysRows`, or if it is unusual.
func describe(_ encoding: Encoding, saysRows: Bool) -> Phrase.Part {
    let planes = encoding.planes
    let pieces = planes.count == 1 ? plane(planes[0]) : .words("sees_planes", .list(planes.map(plane)))
    let more: [Phrase.Part?] = [
        encoding.flip || saysRows ? .words(encoding.flip ? "sees_bottom_first" : "sees_top_first") : nil,
        encoding.transpose ? .words("sees_by_column") : nil,
        encoding.layout == .cells ? .words("sees_by_cell") : nil,
        encoding.beside.map { .words("sees_beside", .list($0.planes.map(plane))) },
    ]
    return more.compactMap { $0 }.reduce(pieces) { .words("sees_then", $0, $1) }
}

private let otherOf = ["mover": "opponent", "opponent": "mover", "player0": "player1", "player1": "player0"]
/// The planes that have words.
private let said: Set = [
    "mover", "opponent", "player0", "player1", "empty", "last", "ones", "zeros", "player0_to_move", "player1_to_move",
    "turn_player0", "turn_player1",
]

private func plane(_ name: String) -> Phrase.Part {
    for kind in ["signed", "codes", "marks"] where name == kind || name.hasPrefix(kind + "_") {
        let whose = name == kind ? "mover" : String(name.dropFirst(kind.count + 1))
        if let other = otherOf[whose] { return .words("sees_\(kind)", words(whose), words(other)) }
    }
    let parts = name.split(separator: "@", maxSplits: 1).map(String.init)
    if parts.count < 2 { return words(name) }
    return .words("sees_ago", words(parts[0]), .text(parts[1]))
}

/// The words for a player or for a plane without pieces; its own name if there are none.
private func words(_ name: String) -> Phrase.Part { said.contains(name) ? .words("sees_\(name)") : .text(name) }
