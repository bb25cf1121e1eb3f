import AzxEngine

extension Json {
    /// The JSON text of this, in one line and in UTF-8; members in the order of their names. A number that JSON does not
    /// have, such as NaN, is null.
    public var bytes: [UInt8] {
        var found: [UInt8] = []
        write(to: &found)
        return found
    }

    private func write(to text: inout [UInt8]) {
        switch self {
        case .list(let items):
            Self.write(items, "[", "]", to: &text) { $0.write(to: &$1) }
        case .object(let members):
            Self.write(members.sorted { $0.key < $1.key }, "{", "}", to: &text) { member, text in
                Self.quote(member.key, to: &text)
                text.append(UInt8(ascii: ":"))
                member.value.write(to: &text)
            }
        case .text(let found): Self.quote(found, to: &text)
        case .number(let number) where !number.isFinite: text += "null".utf8
        case .null, .bool, .number: text += description.utf8
        }
    }

    private static func write<Item>(
        _ items: [Item], _ open: Unicode.Scalar, _ close: Unicode.Scalar, to text: inout [UInt8],
        _ write: (Item, inout [UInt8]) -> Void
    ) {
        text.append(UInt8(ascii: open))
        for (at, item) in items.enumerated() {
            if at > 0 { text.append(UInt8(ascii: ",")) }
            write(item, &text)
        }
        text.append(UInt8(ascii: close))
    }

    private static func quote(_ said: String, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        for byte in said.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += [UInt8(ascii: "\\"), byte]
            case 0..<0x20: text += "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
            default: text.append(byte)
            }
        }
        text.append(UInt8(ascii: "\""))
    }
}
