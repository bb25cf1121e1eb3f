/// What SGF has beside the main line: facts of the game, comments, and variations as lines that branch off.
///
/// A variation within a variation is a line of its own, which begins with the shared moves. An illegal move ends its line, and
/// is counted.

import Foundation

private let mostLines = 500
// The most variations that may lie within each other.
private let deepest = 100
// In UTF-16.
private let longestComment = 4_000
/// Properties of the root about the game and its players; the others are about the file.
private let telling = [
    "GN", "EV", "RO", "PC", "DT", "PB", "BR", "BT", "PW", "WR", "WT", "RE", "KM", "RU", "TM", "OT", "SO", "AN", "CP", "ON",
    "GC",
]

extension Beside {
    /// What an SGF text has beside its main line, whose positions are `states`; nothing for any other text. The first `setUp`
    /// moves place stones; a variation that begins before the last of them is left out.
    public init(_ text: String, _ states: [any State], setUp: Int) {
        self.init()
        let bytes = bytes(of: text)
        guard isSgf(bytes), let tree = try? Sgf.tree(bytes), let root = tree.first?.node else { return }
        for key in telling {
            let said = cut(root[key]?.first ?? "")
            if !said.isEmpty { told[key] = said }
        }
        var walk = Walk(tree: tree, start: states[0])
        let main = Array(sequence(first: 0) { tree[$0].next.first })
        let placed = main.lastIndex { setsUp(tree[$0].node) } ?? 0
        var ply = setUp
        for (at, node) in main.enumerated() {
            if let move = walk.move(tree[node].node) { ply += passLeftOut(states[ply], move) == nil ? 1 : 2 }
            guard states.indices.contains(ply) else { break }
            let said = commentText(tree[node].node)
            if !said.isEmpty { comments[ply] = [comments[ply], said].compactMap { $0 }.joined(separator: "\n") }
            let others = tree[node].next.dropFirst()
            if at < placed {
                leftOut += others.count
            } else {
                for other in others { walk.branch(other, from: ply, [], states[ply], [], 0) }
            }
        }
        lines = walk.lines
        leftOut += walk.leftOut
    }
}

/// A walk through the variations of a tree, which finds their lines.
private struct Walk {
    let tree: Sgf.Tree
    let start: any State
    private let actions: [String: [Int]]
    private(set) var lines: [Variation] = []
    private(set) var leftOut = 0

    init(tree: Sgf.Tree, start: any State) {
        (self.tree, self.start) = (tree, start)
        actions = Dictionary(grouping: 0..<start.actions) { ((try? start.label($0)) ?? "").lowercased() }
    }

    /// A node's move by the board's names; nil if it has none.
    func move(_ node: Sgf.Node) -> Record.Move? {
        guard let (player, key) = ["B", "W"].enumerated().first(where: { node[$1] != nil }) else { return nil }
        let point = (node[key]?.first ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        return Record.Move(name: (try? pointName(start, point)) ?? point, player: player)
    }

    /// What branches off after `from` moves: `before` are the line's moves until `first`, which stands behind `state`.
    mutating func branch(
        _ first: Int, from: Int, _ before: [Int], _ state: any State, _ said: [Variation.Comment], _ depth: Int
    ) {
        if depth > deepest {
            leftOut += 1
            return
        }
        var (made, own, state, at) = (before, said, state, Int?(first))
        while let node = at {
            // A set-up there begins another position.
            if setsUp(tree[node].node) {
                leftOut += 1
                break
            }
            if let move = move(tree[node].node) {
                let pass = passLeftOut(state, move)
                guard lines.count < mostLines, let there = try? pass.map(state.apply) ?? state,
                    let action = action(move, there), let next = try? there.apply(action)
                else {
                    leftOut += 1
                    break
                }
                made += [pass, action].compactMap { $0 }
                state = next
            }
            let comment = commentText(tree[node].node)
            if !comment.isEmpty { own.append(Variation.Comment(made.count, comment)) }
            for other in tree[node].next.dropFirst() { branch(other, from: from, made, state, own, depth + 1) }
            at = tree[node].next.first
        }
        if made.count > before.count { lines.append(Variation(from: from, actions: made, comments: own)) }
    }

    /// A variation's move as an action; nil if the rules forbid it.
    private func action(_ move: Record.Move, _ state: any State) -> Int? {
        if state.isTerminal || state.toMove != move.player { return nil }
        return actions[move.name.lowercased()]?.first { state.whyIllegal($0) == nil }
    }
}

private func commentText(_ node: Sgf.Node) -> String {
    let said = ((node["N"] ?? []) + (node["C"] ?? [])).joined(separator: "\n")
    return cut(said.replacing("\r\n", with: "\n").replacing("\r", with: "\n"))
}

/// A text without blanks around it, and no longer than a comment.
private func cut(_ text: String) -> String {
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    if trimmed.utf16.count <= longestComment { return trimmed }
    return String(decoding: trimmed.utf16.prefix(longestComment), as: UTF16.self)
}
