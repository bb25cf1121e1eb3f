/// Networks whose reading of the board is only assumed, and the readings that fit as well, by their manifests.

import AzxEngine

private let mostOthers = 8
private let longestName = 120
private let letters = Set("abcdefghijklmnopqrstuvwxyz0123456789_-")

/// Another reading as the manifest has it; `name` is what `azx export --encoding` takes.
struct Other: Sendable {
    let name: String
    let encoding: Json
    let actions: Json

    /// nil if `data` describes none.
    init?(_ data: Json) {
        let (encoding, actions) = (data["encoding"], data["actions"])
        let isNumbering = actions.text != nil || actions.wholes?.allSatisfy { $0 >= 0 } == true
        guard let name = data["name"].text, 1...longestName ~= name.count, name.allSatisfy(letters.contains),
            encoding.members != nil, isNumbering
        else { return nil }
        (self.name, self.encoding, self.actions) = (name, encoding, actions)
    }

    /// The readings that fit beside the assumed one; nil if `data` is not a list of readings, or too long.
    static func list(_ data: Json) -> [Other]? { data.list(of: Other.init).flatMap { $0.count > mostOthers ? nil : $0 } }
}

/// What a person has to know: the `assumed` encoding, the others, and the one that they have `chosen`, nil if the assumed
/// one plays.
public struct Doubt: Sendable {
    /// A reading that fits, by its name.
    public struct Named: Sendable {
        public let name: String
        public let encoding: Encoding
    }

    public let assumed: Encoding
    public let others: [Named]
    public let chosen: String?
    /// Whether how it sees the board is in doubt at all.
    public let board: Bool
    /// Whether its value or its policy is known by its shape alone.
    public let outputs: Bool
}

/// The other readings that this app can draw, on the same board and as many numbers as the network reads.
func readOthers(_ others: [Other], _ manifest: Manifest, _ assumed: Reading) -> [(name: String, reading: Reading)] {
    others.compactMap { other in
        // A later azx may know planes that this app does not.
        guard let reading = try? read(other, manifest), isAlike(reading.encoding, assumed.encoding) else { return nil }
        return (other.name, reading)
    }
}

private func read(_ other: Other, _ manifest: Manifest) throws -> Reading {
    let own = ["encoding": other.encoding, "actions": other.actions]
    let members = (manifest.data.members ?? [:]).merging(own) { $1 }
    return try Reading(manifest: .object(members), width: manifest.output(.policy)?.port.size)
}

private func isAlike(_ one: Encoding, _ other: Encoding) -> Bool {
    one.board == other.board && one.inputSizes == other.inputSizes
}
