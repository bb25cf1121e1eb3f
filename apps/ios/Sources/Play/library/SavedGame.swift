import AzxEngine

/// The text in which this app saved the last game of a bundle before it had a library; read to become an entry. `settings` are
/// those that were chosen beside the network's own.
///
/// The lines are the title, `human`, `settings` (name=value), `actions`, and `rates` (moves=chance). A line `end` follows if the
/// game was given up or its dead stones were agreed on.
public struct SavedGame: Equatable, Sendable {
    private static let title = "azx game 1"

    public let settings: Settings
    public let human: Player
    public let actions: [Int]
    public let rates: [Int: Double]
    public internal(set) var ending: Ending?
}

extension SavedGame {
    /// The session, played again from `start`; nil if the game's rules forbid it.
    public func session(_ start: any State) -> Session? {
        guard let states = replay(start, actions), ending?.fits(states) ?? true else { return nil }
        return Session(
            states: states, human: human, rates: rates.filter { states.indices.contains($0.key) }, ending: ending)
    }

    /// The game in a text; nil if the text is damaged.
    public init?(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard 5...6 ~= lines.count, lines[0] == Self.title, let humans = words(lines[1], "human"), humans.count == 1,
            let human = Int(humans[0]), nobody...1 ~= human, let settings = pairs(lines[2], "settings"),
            let actions = words(lines[3], "actions"), let rates = pairs(lines[4], "rates")
        else { return nil }
        let (moves, chances) = (actions.compactMap { Int($0) }, rates.compactMap(chance))
        let ending = lines.count == 6 ? words(lines[5], "end").flatMap { Ending($0) } : nil
        guard moves.count == actions.count, chances.count == rates.count, (ending != nil) == (lines.count == 6)
        else { return nil }
        self.init(
            settings: Dictionary(settings.map { ($0, value($1)) }) { $1 }, human: human, actions: moves,
            rates: Dictionary(chances) { $1 }, ending: ending)
    }
}

/// The words of a line after its title; nil if it has another title.
private func words(_ line: String, _ title: String) -> [String]? {
    let found = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    return found.first == title ? Array(found.dropFirst()) : nil
}

/// A line's words of the form name=value; nil if one has another form.
private func pairs(_ line: String, _ title: String) -> [(String, String)]? {
    guard let words = words(line, title) else { return nil }
    let found = words.compactMap { word -> (String, String)? in
        guard let at = word.firstIndex(of: "="), at > word.startIndex else { return nil }
        return (String(word[..<at]), String(word[word.index(after: at)...]))
    }
    return found.count == words.count ? found : nil
}

/// The number of moves, and the chance after them; nil if the texts are not such numbers.
private func chance(_ name: String, _ text: String) -> (Int, Double)? {
    guard let moves = Int(name), let rate = Double(text), 0...1 ~= rate else { return nil }
    return (moves, rate)
}

private func value(_ text: String) -> Json {
    Double(text).map { .number($0) } ?? .text(text)
}
