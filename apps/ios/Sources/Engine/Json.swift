/// A value of JSON, as a manifest or a golden file has it, and a setting of a game.
///
/// Foundation's own type gives a number for `true` on one platform and not on another.
public indirect enum Json: Equatable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case list([Json])
    case object([String: Json])

    /// A member of an object; null if it is missing, or if this is not an object.
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

    /// The value as a whole number, 9.0 too; nil if it is not one, or has digits that a Double does not.
    public var whole: Int? {
        number.flatMap(Int.init(exactly:)).flatMap { abs($0) <= 1 << 53 ? $0 : nil }
    }

    /// The items of a list as `read` returns them; nil if this is not a list, or `read` returns nil for one.
    public func list<Item>(of read: (Json) -> Item?) -> [Item]? {
        guard let list else { return nil }
        let items = list.compactMap(read)
        return items.count == list.count ? items : nil
    }

    /// The whole numbers of a list; nil if this is not a list of whole numbers.
    public var wholes: [Int]? { list(of: \.whole) }

    /// The numbers of a list; nil if this is not a list of numbers.
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
    /// As people write it in a sentence: a text without quotation marks, everything else as JSON.
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
