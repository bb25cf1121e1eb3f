/// SGF's syntax: trees of nodes, a node's properties, a property's values. What they mean is in Reading.swift.
///
/// Texts are bytes here: in Swift a line end of two signs is one character, and a bracket with an accent is no bracket.
enum Sgf {
    /// A node: the values of each property, at least one.
    typealias Node = [String: [String]]

    /// Why a text is no SGF, in a few words.
    struct Refused: Error {
        let why: String
    }

    private enum Token {
        case open, close, node
        case name(String)
        case value(String)
    }

    /// A game with all its variations: its nodes, the root first, each with the places of those that follow it, the main
    /// line first.
    typealias Tree = [(node: Node, next: [Int])]

    /// The nodes of the first game's main line, and how many variations were left out; Refused if there is none.
    static func mainLine(_ text: ArraySlice<UInt8>) throws -> (nodes: [Node], ignored: Int) {
        let (tree, variations) = try read(text, joins: false)
        let line = sequence(first: 0) { tree[$0].next.first }
        return (line.map { tree[$0].node.mapValues { $0.isEmpty ? [""] : $0 } }, variations)
    }

    /// The first game, with lines that a backslash joins; Refused if there is none.
    static func tree(_ text: ArraySlice<UInt8>) throws -> Tree { try read(text, joins: true).tree }

    /// The first game, and how many variations it has beside its main line. Of faults only those of the main line count.
    private static func read(_ text: ArraySlice<UInt8>, joins: Bool) throws -> (tree: Tree, variations: Int) {
        var (tree, forks, at, name, scanner) = (Tree(), [Int?](), Int?.none, "", Scanner(text, joins: joins))
        var (variations, isBeside) = (0, false)
        reading: while true {
            switch try scanner.next() {
            case .close where tree.isEmpty, .name where tree.isEmpty, .value where tree.isEmpty:
                throw Refused(why: "it begins without a node")
            case .open:
                // After a branch has closed, each other one at any fork is a variation.
                if isBeside { variations += 1 }
                forks.append(at)
                name = ""
            case .close:
                isBeside = true
                at = forks.popLast() ?? nil
                if forks.isEmpty { break reading }
            case .node:
                tree.append(([:], []))
                if let at { tree[at].next.append(tree.count - 1) }
                (at, name) = (tree.count - 1, "")
            case .name(let letters):
                // Lower case letters were allowed before FF[4] and mean nothing.
                name = letters.filter(\.isUppercase)
                if let at, !name.isEmpty, tree[at].node[name] == nil { tree[at].node[name] = [] }
            case .value where name.isEmpty && !isBeside: throw Refused(why: "a value has no property")
            case .value(let value): if let at, !name.isEmpty { tree[at].node[name, default: []].append(value) }
            }
        }
        return (tree, variations)
    }

    /// Gives signs, names and values as they come.
    private struct Scanner {
        private let text: ArraySlice<UInt8>
        /// Whether a backslash joins two lines.
        private let joins: Bool
        private var at: Int

        init(_ text: ArraySlice<UInt8>, joins: Bool = false) {
            (self.text, self.joins) = (text, joins)
            at = text.startIndex
        }

        /// Refused if something else follows, or nothing.
        mutating func next() throws -> Token {
            while at < text.endIndex, isBlank(text[at]) { at += 1 }
            guard at < text.endIndex else { throw Refused(why: "it ends within the game") }
            let begin = at
            at += 1
            switch text[begin] {
            case UInt8(ascii: "("): return .open
            case UInt8(ascii: ")"): return .close
            case UInt8(ascii: ";"): return .node
            case UInt8(ascii: "["): return .value(try value())
            case let sign where isLetter(sign):
                while at < text.endIndex, isLetter(text[at]) { at += 1 }
                return .name(String(decoding: text[begin..<at], as: UTF8.self))
            default: throw Refused(why: "character \(begin - text.startIndex + 1) has no place")
            }
        }

        /// The text up to the bracket that ends a value; a backslash takes the next sign as it is.
        private mutating func value() throws -> String {
            var found: [UInt8] = []
            while at < text.endIndex, text[at] != UInt8(ascii: "]") {
                let isTaken = text[at] == UInt8(ascii: "\\")
                if isTaken { at += 1 }
                if isTaken, joins, at < text.endIndex, [0x0A, 0x0D].contains(text[at]) {
                    at += text[at...].starts(with: [0x0D, 0x0A]) ? 2 : 1
                    continue
                }
                if at < text.endIndex { found.append(text[at]) }
                at += 1
            }
            guard at < text.endIndex else { throw Refused(why: "it ends within the game") }
            at += 1
            return String(decoding: found, as: UTF8.self)
        }

        private func isLetter(_ sign: UInt8) -> Bool {
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= sign | 0x20
        }
    }
}

/// Whether a byte is a blank of ASCII: beyond it the languages differ.
func isBlank(_ sign: UInt8) -> Bool {
    sign == 0x20 || 0x09...0x0D ~= sign
}
