/// A value of JSON, as a manifest or a golden file has it, and a setting of a game.
///
/// A type of our own, as Foundation's gives a number for `true` on one platform and not on the other.
public indirect enum Json: Equatable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case list([Json])
    case object([String: Json])

    /// A member of an object; null if there is none, and if this is no object.
    public subscript(name: String) -> Json {
        members?[name] ?? .null
    }

    public var isNull: Bool { self == .null }

    public var members: [String: Json]? {
        if case .object(let members) = self { members } else { nil }
    }

    public var list: [Json]? {
        if case .list(let items) = self { items } else { nil }
    }

    public var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    public var bool: Bool? {
        if case .bool(let bool) = self { bool } else { nil }
    }

    public var number: Double? {
        if case .number(let number) = self { number } else { nil }
    }

    /// The whole number that this is, 9.0 too; nil if it is none, or has digits that a Double does not.
    public var whole: Int? {
        number.flatMap(Int.init(exactly:)).flatMap { abs($0) <= 1 << 53 ? $0 : nil }
    }

    /// What `read` makes of a list's items; nil if this is no list, or `read` is nil for one of them.
    public func list<Item>(of read: (Json) -> Item?) -> [Item]? {
        guard let list else { return nil }
        let items = list.compactMap(read)
        return items.count == list.count ? items : nil
    }

    /// The whole numbers of a list; nil if this is no list of such.
    public var wholes: [Int]? { list(of: \.whole) }

    /// The numbers of a list; nil if this is no list of such.
    public var floats: [Float]? { list(of: { $0.number.map { Float($0) } }) }
}

extension Json: Decodable {
    /// A number or a text of a table of games/data.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        let number = try? value.decode(Double.self)
        self = if let number { .number(number) } else { .text(try value.decode(String.self)) }
    }
}

extension Json: CustomStringConvertible {
    /// As people would write it in a sentence: a text without quotation marks, all else as JSON has it.
    public var description: String {
        switch self {
        case .text(let text): text
        case .list(let items): "[" + items.map(\.quoted).joined(separator: ", ") + "]"
        case .object(let members):
            "{" + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value.quoted)" }
                .joined(separator: ", ") + "}"
        default: quoted
        }
    }

    private var quoted: String {
        switch self {
        case .null: "null"
        case .bool(let bool): "\(bool)"
        case .number(let number): whole.map(String.init) ?? "\(number)"
        case .text(let text): "\"\(text)\""
        default: description
        }
    }
}
