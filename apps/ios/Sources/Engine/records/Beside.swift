/// What a record has beside its moves: facts of the game, comments, and lines that branch off.

/// A line that branches off after `from` moves of the game; comments by the number of its own moves.
public struct Variation: Equatable, Sendable {
    public let from: Int
    public let actions: [Int]
    public let comments: [Comment]
    /// Whether it was tried out in an app and not read from a file.
    public let own: Bool

    /// A comment after a number of moves.
    public struct Comment: Equatable, Sendable {
        public let moves: Int
        public let text: String

        public init(_ moves: Int, _ text: String) { (self.moves, self.text) = (moves, text) }
    }

    public init(from: Int, actions: [Int], comments: [Comment] = [], own: Bool = false) {
        (self.from, self.actions, self.comments, self.own) = (from, actions, comments, own)
    }
}

/// The facts, comments and lines of a record; empty for a game that was played here.
public struct Beside: Equatable, Sendable {
    /// The root's facts of the game: the first value by SGF's name of the property.
    public var told: [String: String] = [:]
    /// The comments of the main line, by the number of moves.
    public var comments: [Int: String] = [:]
    public var lines: [Variation] = []
    /// The number of illegal moves of variations, which were left out.
    public var leftOut = 0

    public init() {}
}

extension Beside {
    /// The next moves of the lines: after `from` moves of the game, or after these `moves` of a line from there.
    public func branches(after moves: [Int], from: Int) -> [Int] {
        lines(with: moves, from: from).reduce(into: []) { found, line in
            let next = line.actions.dropFirst(moves.count).first
            if let next, !found.contains(next) { found.append(next) }
        }
    }

    /// The comment on the last of these moves; nil if there is none.
    public func comment(after moves: [Int], from: Int) -> String? {
        lines(with: moves, from: from).lazy.flatMap(\.comments).first { $0.moves == moves.count }?.text
    }

    /// Add a line that was tried out, unless it is there; it replaces an own line that it continues, but no line of a file.
    public mutating func note(_ moves: [Int], from: Int) {
        if !lines(with: moves, from: from).isEmpty { return }
        lines.removeAll { $0.own && $0.from == from && moves.starts(with: $0.actions) }
        lines.append(Variation(from: from, actions: moves, own: true))
    }

    /// Add the facts, comments and lines that another record has of the same game.
    public mutating func take(_ other: Beside) {
        told.merge(other.told) { own, _ in own }
        comments.merge(other.comments) { own, _ in own }
        for line in other.lines where lines(with: line.actions, from: line.from).isEmpty {
            if line.own { note(line.actions, from: line.from) } else { lines.append(line) }
        }
    }

    private func lines(with moves: [Int], from: Int) -> [Variation] {
        lines.filter { $0.from == from && $0.actions.starts(with: moves) }
    }
}
