/// What Deflate has packed (RFC 1951), unpacked.
///
/// Written out, so that what tests on Linux read is what a phone reads, and so that it never makes more bytes than it was
/// told to: a small file may be made to fill memory.

import Foundation

enum InflateError: Error {
    /// This is nothing that Deflate packs.
    case damaged
    /// There is more than it was to be.
    case more
}

/// Exactly `size` bytes; InflateError where `packed` holds more, fewer, or what Deflate does not write.
func inflated(_ packed: Data, size: Int) throws -> Data {
    try packed.withUnsafeBytes { bytes in
        var inflater = Inflater(input: bytes, size: size)
        try inflater.run()
        guard inflater.output.count == size else { throw InflateError.damaged }
        return Data(inflater.output)
    }
}

private struct Inflater {
    let input: UnsafeRawBufferPointer
    let size: Int
    var output: [UInt8] = []
    private var at = 0
    // Bits that were taken out of the input and are not used yet, the next one lowest.
    private var (bits, held) = (UInt32(0), 0)

    init(input: UnsafeRawBufferPointer, size: Int) {
        (self.input, self.size) = (input, size)
        // No more at once than the input could hold by any packing.
        output.reserveCapacity(min(size, input.count * Deflate.mostRatio))
    }

    mutating func run() throws {
        var isLast = false
        while !isLast {
            isLast = try take(1) == 1
            switch try take(2) {
            case 0: try stored()
            case 1: try unpack(Deflate.fixed.lengths, Deflate.fixed.distances)
            case 2:
                let (lengths, distances) = try codes()
                try unpack(lengths, distances)
            default: throw InflateError.damaged
            }
        }
    }

    /// The next `count` bits, 16 at most, as a number.
    private mutating func take(_ count: Int) throws -> Int {
        while held < count {
            guard at < input.count else { throw InflateError.damaged }
            bits |= UInt32(input[at]) << held
            at += 1
            held += 8
        }
        let found = bits & (1 << count - 1)
        bits >>= count
        held -= count
        return Int(found)
    }

    /// The next symbol of a code, whose bits come highest first.
    private mutating func symbol(_ code: Code) throws -> Int {
        var (word, first, index) = (0, 0, 0)
        for length in 1...Code.longest {
            word |= try take(1)
            let count = code.counts[length]
            if word - first < count { return code.symbols[index + word - first] }
            index += count
            first = (first + count) << 1
            word <<= 1
        }
        throw InflateError.damaged
    }

    /// Bytes as they are, from the next whole byte on.
    private mutating func stored() throws {
        (bits, held) = (0, 0)
        let (length, inverse) = (try take(16), try take(16))
        guard length == ~inverse & 0xffff, length <= input.count - at else { throw InflateError.damaged }
        guard length <= size - output.count else { throw InflateError.more }
        output.append(contentsOf: input[at..<at + length])
        at += length
    }

    /// The codes of a block that brings its own.
    private mutating func codes() throws -> (Code, Code) {
        let (lengths, distances, given) = (try take(5) + 257, try take(5) + 1, try take(4) + 4)
        guard lengths <= 286, distances <= 30 else { throw InflateError.damaged }
        var widths = [Int](repeating: 0, count: 19)
        for place in Deflate.order.prefix(given) { widths[place] = try take(3) }
        let code = try Code(widths, mayLack: false)
        var found: [Int] = []
        while found.count < lengths + distances {
            let next = try symbol(code)
            switch next {
            case 16:
                guard let last = found.last else { throw InflateError.damaged }
                found += Array(repeating: last, count: try take(2) + 3)
            case 17: found += Array(repeating: 0, count: try take(3) + 3)
            case 18: found += Array(repeating: 0, count: try take(7) + 11)
            default: found.append(next)
            }
        }
        // A block ends by its own symbol, which therefore has a code.
        guard found.count == lengths + distances, found[256] > 0 else { throw InflateError.damaged }
        return (
            try Code(Array(found[..<lengths]), mayLack: true), try Code(Array(found[lengths...]), mayLack: true)
        )
    }

    /// A block's bytes: new ones, and what was there before.
    private mutating func unpack(_ lengths: Code, _ distances: Code) throws {
        while true {
            let next = try symbol(lengths)
            if next == 256 { return }
            if next < 256 {
                guard output.count < size else { throw InflateError.more }
                output.append(UInt8(next))
                continue
            }
            guard next - 257 < Deflate.lengths.count else { throw InflateError.damaged }
            let (base, more) = Deflate.lengths[next - 257]
            let length = base + (try take(more))
            let place = try symbol(distances)
            guard place < Deflate.distances.count else { throw InflateError.damaged }
            let (near, far) = Deflate.distances[place]
            let distance = near + (try take(far))
            guard distance <= output.count else { throw InflateError.damaged }
            guard length <= size - output.count else { throw InflateError.more }
            // What is copied may begin before it has been written.
            for _ in 0..<length { output.append(output[output.count - distance]) }
        }
    }
}

/// A Huffman code: how many symbols have words of each length, and the symbols in the order of their words.
private struct Code {
    static let longest = 15
    let counts: [Int]
    let symbols: [Int]

    /// The code whose symbols have words of these lengths, 0 for none; InflateError where there is no such code.
    /// `mayLack`: a code of one symbol leaves half of its words out.
    init(_ lengths: [Int], mayLack: Bool) throws {
        var counts = [Int](repeating: 0, count: Self.longest + 1)
        for length in lengths { counts[length] += 1 }
        counts[0] = 0
        var left = 1
        for length in 1...Self.longest {
            left = left << 1 - counts[length]
            guard left >= 0 else { throw InflateError.damaged }
        }
        let isSingle = counts[1] + lengths.count { $0 == 0 } == lengths.count
        guard left == 0 || mayLack && isSingle else { throw InflateError.damaged }
        self.counts = counts
        symbols = lengths.indices.filter { lengths[$0] > 0 }.sorted { (lengths[$0], $0) < (lengths[$1], $1) }
    }
}

/// The tables of RFC 1951, section 3.2.5 to 3.2.7.
private enum Deflate {
    /// 258 bytes out of two bits.
    static let mostRatio = 1032

    /// The least length of each symbol from 257 on, and how many bits say how much more it is.
    static let lengths: [(Int, Int)] =
        table(from: 3, extra: [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5])
        + [(258, 0)]
    /// The same of distances.
    static let distances = table(from: 1, extra: [0, 0] + (0...13).flatMap { [$0, $0] })
    /// In which order the widths of the code of widths come.
    static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    /// The code of blocks that bring none.
    static let fixed: (lengths: Code, distances: Code) = {
        let widths = [(144, 8), (112, 9), (24, 7), (8, 8)].flatMap { Array(repeating: $1, count: $0) }
        do {
            return (try Code(widths, mayLack: false), try Code(Array(repeating: 5, count: 32), mayLack: false))
        } catch {
            fatalError("RFC 1951 has these codes.")
        }
    }()

    private static func table(from first: Int, extra: [Int]) -> [(Int, Int)] {
        var base = first
        return extra.map { bits in
            defer { base += 1 << bits }
            return (base, bits)
        }
    }
}
