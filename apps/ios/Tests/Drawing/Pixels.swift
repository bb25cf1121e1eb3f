#if canImport(Glibc)
import Foundation

/// A picture of opaque pixels, row by row.
struct Pixels {
    let width: Int
    let height: Int
    /// 0xRRGGBB each.
    var colours: [UInt32]

    /// How far a channel of a pixel may be off, of 255: golden pictures have 256 colours at most.
    private static let near = 16
    /// One pixel in so many may be further off than that: letters' edges, where another version draws them.
    private static let rare = 20_000
    /// How far the mean of a channel may be off, of 255.
    private static let drift = 0.5

    /// What tells these pixels from golden ones; nil if they count as the same.
    func difference(from golden: Pixels) -> String? {
        if (width, height) != (golden.width, golden.height) {
            return "\(width)x\(height) pixels, the golden picture has \(golden.width)x\(golden.height)"
        }
        var far = 0
        var drifts = [0, 0, 0]
        colours.withUnsafeBufferPointer { mine in
            golden.colours.withUnsafeBufferPointer { theirs in
                for at in 0..<mine.count where mine[at] != theirs[at] {
                    var worst = 0
                    for (channel, shift) in [UInt32(16), 8, 0].enumerated() {
                        let off = Int(mine[at] >> shift & 0xff) - Int(theirs[at] >> shift & 0xff)
                        drifts[channel] += off
                        worst = max(worst, abs(off))
                    }
                    if worst > Self.near { far += 1 }
                }
            }
        }
        if far > colours.count / Self.rare { return "\(far) of \(colours.count) pixels are of another colour" }
        let means = drifts.map { Double($0) / Double(colours.count) }
        return means.contains { abs($0) > Self.drift } ? "red, green and blue are off by \(means) of 255" : nil
    }

    /// The picture with 256 colours at most, as a PNG file.
    func png(_ zlib: Zlib) -> Data {
        let (palette, indices) = index()
        var rows = Data(capacity: (width + 1) * height)
        for row in 0..<height {
            rows.append(0)
            rows.append(contentsOf: indices[(row * width)..<((row + 1) * width)])
        }
        let header = big(UInt32(width)) + big(UInt32(height)) + Data([8, 3, 0, 0, 0])
        let colours = Data(palette.flatMap { [UInt8($0 >> 16 & 0xff), UInt8($0 >> 8 & 0xff), UInt8($0 & 0xff)] })
        let chunks = [("IHDR", header), ("PLTE", colours), ("IDAT", zlib.compress(rows)), ("IEND", Data())]
        return chunks.reduce(Data([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) { file, chunk in
            let body = Data(chunk.0.utf8) + chunk.1
            return file + big(UInt32(chunk.1.count)) + body + big(zlib.crc(body))
        }
    }

    private func big(_ number: UInt32) -> Data { withUnsafeBytes(of: number.bigEndian) { Data($0) } }

    /// The colours by median cut: the box of colours that is widest, and seen most, is divided until there are enough.
    private func index() -> (palette: [UInt32], indices: [UInt8]) {
        var counts: [UInt32: Int] = [:]
        for colour in colours { counts[colour, default: 0] += 1 }
        var boxes = [Cut(counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })]
        while boxes.count < 256, let widest = boxes.indices.max(by: { boxes[$0].weight < boxes[$1].weight }),
            boxes[widest].weight > 0
        {
            let halves = boxes[widest].halves
            boxes[widest] = halves.0
            boxes.append(halves.1)
        }
        var places: [UInt32: UInt8] = [:]
        for (at, box) in boxes.enumerated() {
            for (colour, _) in box.colours { places[colour] = UInt8(at) }
        }
        return (boxes.map(\.mean), colours.map { places[$0] ?? 0 })
    }
}

/// Colours that become one, with how often each is there.
private struct Cut {
    let colours: [(UInt32, Int)]
    /// How much is gained where it is divided.
    let weight: Double
    private let shift: UInt32

    init(_ colours: [(UInt32, Int)]) {
        self.colours = colours
        let ranges = [UInt32(16), 8, 0].map { shift in
            let channel = colours.map { Int($0.0 >> shift & 0xff) }
            return (shift: shift, width: (channel.max() ?? 0) - (channel.min() ?? 0))
        }
        let widest = ranges.max { $0.width < $1.width }
        shift = widest?.shift ?? 0
        weight = Double(widest?.width ?? 0) * pow(Double(colours.reduce(0) { $0 + $1.1 }), 0.12)
    }

    var mean: UInt32 {
        let count = colours.reduce(0) { $0 + $1.1 }
        return [UInt32(16), 8, 0].reduce(0) { found, shift in
            let sum = colours.reduce(0) { $0 + Int($1.0 >> shift & 0xff) * $1.1 }
            return found | UInt32((sum + count / 2) / count) << shift
        }
    }

    /// Below and above the middle of the widest channel.
    var halves: (Cut, Cut) {
        let channel = { (colour: UInt32) in Int(colour >> shift & 0xff) }
        let all = colours.map { channel($0.0) }
        let middle = ((all.min() ?? 0) + (all.max() ?? 0) + 1) / 2
        return (Cut(colours.filter { channel($0.0) < middle }), Cut(colours.filter { channel($0.0) >= middle }))
    }
}
#endif
