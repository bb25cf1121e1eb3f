import AzxEngine

/// A text that is no JSON, or JSON that is nested deeper than any file of a bundle.
public struct JsonError: Error, Equatable, CustomStringConvertible {
    public let sentence: String

    public var description: String { sentence }
}

extension Json {
    /// The value of a JSON text, given as bytes in UTF-8. JsonError, with the place, for anything but JSON.
    ///
    /// Strict, as bundles are untrusted: JSONDecoder ends the process at a name with half a character in it, and
    /// a deeply nested text must not overflow the stack.
    public init(parsing bytes: some Collection<UInt8>) throws(JsonError) {
        var reader = JsonReader(bytes: Array(bytes))
        self = try reader.read()
    }
}

private let deepest = 32

private struct JsonReader {
    let bytes: [UInt8]
    var at = 0

    mutating func read() throws(JsonError) -> Json {
        let found = try value(0)
        skipBlanks()
        if at < bytes.count { throw wrong("nothing more") }
        return found
    }

    private mutating func value(_ depth: Int) throws(JsonError) -> Json {
        if depth > deepest { throw JsonError(sentence: "The JSON is nested deeper than \(deepest).") }
        skipBlanks()
        return switch try next() {
        case UInt8(ascii: "{"): .object(try members(depth))
        case UInt8(ascii: "["): .list(try elements(depth))
        case UInt8(ascii: "\""): .text(try string())
        case UInt8(ascii: "t"): try word("true", .bool(true))
        case UInt8(ascii: "f"): try word("false", .bool(false))
        case UInt8(ascii: "n"): try word("null", .null)
        default: .number(try number())
        }
    }

    private mutating func members(_ depth: Int) throws(JsonError) -> [String: Json] {
        var found: [String: Json] = [:]
        var isMore = try open("}")
        while isMore {
            if try next() != UInt8(ascii: "\"") { throw wrong("a name") }
            let name = try string()
            skipBlanks()
            try take(":")
            found[name] = try value(depth + 1)
            isMore = try goOn("}")
        }
        return found
    }

    private mutating func elements(_ depth: Int) throws(JsonError) -> [Json] {
        var found: [Json] = []
        var isMore = try open("]")
        while isMore {
            found.append(try value(depth + 1))
            isMore = try goOn("]")
        }
        return found
    }

    /// Pass an opening bracket; whether anything stands before `end`, which is passed if nothing does.
    private mutating func open(_ end: Unicode.Scalar) throws(JsonError) -> Bool {
        at += 1
        skipBlanks()
        guard try next() == UInt8(ascii: end) else { return true }
        at += 1
        return false
    }

    /// Pass a comma, or `end`; whether it was a comma.
    private mutating func goOn(_ end: Unicode.Scalar) throws(JsonError) -> Bool {
        skipBlanks()
        if try next() == UInt8(ascii: end) {
            at += 1
            return false
        }
        try take(",")
        skipBlanks()
        return true
    }

    private mutating func string() throws(JsonError) -> String {
        at += 1
        var found: [UInt8] = []
        while try next() != UInt8(ascii: "\"") {
            if bytes[at] == UInt8(ascii: "\\") {
                found += String(try escape()).utf8
            } else if bytes[at] < 0x20 {
                throw wrong("a character that may stand in a text")
            } else {
                found.append(bytes[at])
                at += 1
            }
        }
        at += 1
        guard let text = String(validating: found, as: UTF8.self) else { throw wrong("a text in UTF-8") }
        return text
    }

    private mutating func escape() throws(JsonError) -> Unicode.Scalar {
        at += 1
        let letter = try next()
        if letter == UInt8(ascii: "u") { return try unicode() }
        guard let meant = escapes[letter] else { throw wrong("an escape") }
        at += 1
        return meant
    }

    /// A character by its number; numbers beyond the first 65536 have two halves.
    private mutating func unicode() throws(JsonError) -> Unicode.Scalar {
        let first = try hexadecimal()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xdc00, at + 1 < bytes.count, bytes[at] == UInt8(ascii: "\\"), bytes[at + 1] == UInt8(ascii: "u")
        else { throw wrong("the other half of a character") }
        at += 1
        let second = try hexadecimal()
        guard 0xdc00..<0xe000 ~= second, let scalar = Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + second - 0xdc00)
        else { throw wrong("the other half of a character") }
        return scalar
    }

    /// The four digits behind a `u`.
    private mutating func hexadecimal() throws(JsonError) -> UInt32 {
        var number: UInt32 = 0
        for place in at + 1..<at + 5 {
            guard place < bytes.count, let digit = Character(Unicode.Scalar(bytes[place])).hexDigitValue else {
                throw wrong("four hexadecimal digits")
            }
            number = number << 4 + UInt32(digit)
        }
        at += 5
        return number
    }

    private mutating func number() throws(JsonError) -> Double {
        let from = at
        if isNext("-") { at += 1 }
        // A 0 in front stands alone.
        let digits = isNext("0") ? 1 : count { isDigit($0) }
        at += digits
        var isSound = digits > 0
        if isNext(".") {
            at += 1
            let behind = count { isDigit($0) }
            at += behind
            isSound = isSound && behind > 0
        }
        if isNext("e") || isNext("E") {
            at += 1
            if isNext("+") || isNext("-") { at += 1 }
            let power = count { isDigit($0) }
            at += power
            isSound = isSound && power > 0
        }
        let isAtEnd = at == bytes.count || !(isDigit(bytes[at]) || bytes[at] == UInt8(ascii: "."))
        guard isSound, isAtEnd, let number = Double(String(decoding: bytes[from..<at], as: UTF8.self)) else {
            at = from
            throw wrong("a value")
        }
        return number
    }

    private func isNext(_ character: Unicode.Scalar) -> Bool {
        at < bytes.count && bytes[at] == UInt8(ascii: character)
    }

    /// The number of bytes from here on that `isSuch` accepts.
    private func count(_ isSuch: (UInt8) -> Bool) -> Int {
        var end = at
        while end < bytes.count, isSuch(bytes[end]) { end += 1 }
        return end - at
    }

    private mutating func word(_ word: StaticString, _ meant: Json) throws(JsonError) -> Json {
        let length = word.utf8CodeUnitCount
        let isThere = at + length <= bytes.count
            && (0..<length).allSatisfy { bytes[at + $0] == word.utf8Start[$0] }
        if !isThere { throw wrong("a value") }
        at += length
        return meant
    }

    private mutating func skipBlanks() {
        while at < bytes.count, [0x20, 0x09, 0x0a, 0x0d].contains(bytes[at]) { at += 1 }
    }

    private func next() throws(JsonError) -> UInt8 {
        if at < bytes.count { return bytes[at] }
        throw wrong("more")
    }

    private mutating func take(_ expected: Unicode.Scalar) throws(JsonError) {
        if try next() != UInt8(ascii: expected) { throw wrong("'\(expected)'") }
        at += 1
    }

    private func wrong(_ expected: String) -> JsonError {
        JsonError(sentence: "Byte \(at + 1) of the JSON is wrong: \(expected) was expected.")
    }
}

private func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

private let escapes: [UInt8: Unicode.Scalar] = [
    UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/", UInt8(ascii: "b"): "\u{8}",
    UInt8(ascii: "f"): "\u{c}", UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
]
