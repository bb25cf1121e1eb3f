/// The wire format of protocol buffers, as far as a model's file is read before anything runs it.
///
/// Stricter than a parser of messages: it refuses unknown numbers. It also refuses a member that stands twice but may stand
/// once, as readers differ in which of the two they take. https://protobuf.dev/programming-guides/encoding/

import Foundation

/// Bytes are no message, or not one of the wanted kind.
struct WireError: Error, Equatable {}

/// A message: its members by their numbers.
struct Message {
    private var numbers: [Int: UInt64] = [:]
    private var parts: [Int: [ArraySlice<UInt8>]] = [:]

    /// The message in `bytes`; WireError if there is none, or it holds anything but the numbers `whole`, each at most
    /// once, the parts `once`, likewise, and the parts `many`.
    init(_ bytes: ArraySlice<UInt8>, whole: Set<Int> = [], once: Set<Int> = [], many: Set<Int> = []) throws(WireError) {
        var rest = bytes
        while !rest.isEmpty {
            let tag = try Self.varint(&rest)
            guard let number = Int(exactly: tag >> 3) else { throw WireError() }
            switch tag & 7 {
            case 0 where whole.contains(number):
                guard numbers.updateValue(try Self.varint(&rest), forKey: number) == nil else { throw WireError() }
            case 2 where once.contains(number) || many.contains(number):
                if once.contains(number), parts[number] != nil { throw WireError() }
                parts[number, default: []].append(try Self.part(&rest))
            default: throw WireError()
            }
        }
    }

    /// A number; 0 if it is left out.
    func whole(_ number: Int) -> UInt64 { numbers[number] ?? 0 }

    /// The part that stands once; nil if it is left out.
    func part(_ number: Int) -> ArraySlice<UInt8>? { parts[number]?.first }

    /// All parts of a number, in their order.
    func all(_ number: Int) -> [ArraySlice<UInt8>] { parts[number] ?? [] }

    /// A text; empty if it is left out. WireError if its bytes are not UTF-8.
    func text(_ number: Int) throws(WireError) -> String { try Self.text(part(number) ?? []) }

    static func text(_ bytes: ArraySlice<UInt8>) throws(WireError) -> String {
        guard let text = String(bytes: bytes, encoding: .utf8) else { throw WireError() }
        return text
    }

    /// The entries of a map, in their order; WireError if a key stands twice.
    func entries(_ number: Int) throws(WireError) -> [(key: String, value: ArraySlice<UInt8>)] {
        var (found, keys) = ([(key: String, value: ArraySlice<UInt8>)](), Set<String>())
        for part in all(number) {
            let entry = try Message(part, once: [1, 2])
            let key = try entry.text(1)
            if !keys.insert(key).inserted { throw WireError() }
            found.append((key, entry.part(2) ?? []))
        }
        return found
    }

    private static func varint(_ rest: inout ArraySlice<UInt8>) throws(WireError) -> UInt64 {
        var found: UInt64 = 0
        for shift in stride(from: 0, to: 64, by: 7) {
            guard let byte = rest.popFirst() else { throw WireError() }
            // Of the tenth byte one bit counts.
            if shift == 63, byte > 1 { throw WireError() }
            found |= UInt64(byte & 0x7f) << UInt64(shift)
            if byte < 0x80 { return found }
        }
        throw WireError()
    }

    private static func part(_ rest: inout ArraySlice<UInt8>) throws(WireError) -> ArraySlice<UInt8> {
        let size = try varint(&rest)
        guard size <= UInt64(rest.count) else { throw WireError() }
        let found = rest.prefix(Int(size))
        rest = rest.dropFirst(Int(size))
        return found
    }
}
