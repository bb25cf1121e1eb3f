/// A game written as SGF's tree: its moves, comments and lines. Variations.swift reads it again.

struct SgfTree {
    /// A position: the move that led there (nil at the root), its comments, and the places of the next positions, the main line
    /// first.
    private struct Node {
        let action: Int?
        var said: [String] = []
        var next: [Int] = []
    }

    /// The name of a move: `ply` moves were played before it, the first of them `first`.
    typealias Name = (_ action: Int, _ ply: Int, _ first: Int?) -> String

    /// A property of the root.
    typealias Property = (key: String, values: [String])

    private var nodes: [Node]
    private let name: Name
    /// How many moves have led to the root's position, and the first of all.
    private let setUp: Int
    private let first: Int?

    init(_ actions: [Int], _ beside: Beside, setUp: Int, name: @escaping Name) {
        (self.name, self.setUp) = (name, setUp)
        first = setUp > 0 ? actions.first : nil
        let moves = actions.dropFirst(setUp)
        nodes = [Node(action: nil)] + moves.map { Node(action: $0) }
        for at in 0...moves.count {
            if at < moves.count { nodes[at].next = [at + 1] }
            if let said = beside.comments[setUp + at] { nodes[at].said.append(said) }
            let lines = beside.lines.filter { $0.from == setUp + at }
            // The first branch is the main line: if that has ended, it is a node without a move.
            if !lines.isEmpty, at == moves.count { add(Node(action: nil), behind: at) }
            branch(at, lines[...], 0)
        }
    }

    @discardableResult
    private mutating func add(_ node: Node, behind at: Int) -> Int {
        nodes.append(node)
        nodes[at].next.append(nodes.count - 1)
        return nodes.count - 1
    }

    /// Put lines that share their first `depth` moves behind a node.
    private mutating func branch(_ at: Int, _ lines: ArraySlice<Variation>, _ depth: Int) {
        // A single line may be too long for recursion.
        if lines.count == 1, let line = lines.first {
            var at = at
            for (ply, action) in line.actions.enumerated().dropFirst(depth) {
                at = add(Node(action: action, said: said(of: [line], ply + 1)), behind: at)
            }
            return
        }
        var order: [Int] = []
        let through = lines.filter { $0.actions.count > depth }
        for action in through.map({ $0.actions[depth] }) where !order.contains(action) { order.append(action) }
        // A line comes after those that branch off from it, in the order of reading: the last one goes straight on.
        if depth > 0, let last = lines.last, last.actions.count > depth {
            let first = last.actions[depth]
            order = [first] + order.filter { $0 != first }
        }
        for action in order {
            let own = through.filter { $0.actions[depth] == action }
            branch(add(Node(action: action, said: said(of: own, depth + 1)), behind: at), own[...], depth + 1)
        }
    }

    /// The comments of lines after a number of shared moves, each text once.
    private func said(of lines: [Variation], _ moves: Int) -> [String] {
        lines.flatMap(\.comments).reduce(into: []) { said, comment in
            if comment.moves == moves, !said.contains(comment.text) { said.append(comment.text) }
        }
    }

    /// The text of the game with these properties at its root; ten nodes a line.
    func text(_ root: [Property]) -> String { "(\(sequence(0, setUp, first, root)))\n" }

    private func sequence(_ begin: Int, _ plies: Int, _ before: Int?, _ told: [Property]) -> String {
        var (texts, node, ply, first, properties) = ([String](), nodes[begin], plies, before, told)
        while true {
            let move = node.action.map { [(key: ply % 2 == 0 ? "B" : "W", values: [name($0, ply, first)])] } ?? []
            let said = node.said.isEmpty ? [] : [(key: "C", values: [node.said.joined(separator: "\n")])]
            texts.append(";" + (properties + move + said).map { $0.key + $0.values.map(bracket).joined() }.joined())
            if let action = node.action { (ply, first) = (ply + 1, first ?? action) }
            guard node.next.count == 1 else { break }
            (node, properties) = (nodes[node.next[0]], [])
        }
        let lines = stride(from: 0, to: texts.count, by: 10).map { texts[$0..<min($0 + 10, texts.count)].joined() }
        return (lines + node.next.map { "(\(sequence($0, ply, first, [])))" }).joined(separator: "\n")
    }

    private func bracket(_ value: String) -> String {
        "[\(value.replacing("\\", with: "\\\\").replacing("]", with: "\\]"))]"
    }
}
