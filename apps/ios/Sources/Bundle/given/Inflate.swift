/// Deflate, as the members of a .zip are packed, by zlib.

import Foundation

#if canImport(zlib)
    import zlib
#else
    import CSystem
#endif

enum InflateError: Error {
    /// There are more bytes than expected.
    case more
    case damaged
}

// At most 258 bytes come from two bits.
private let mostRatio = 1032

/// The `size` bytes that `packed` holds; InflateError if it holds more, fewer, or what Deflate does not write.
func inflate(_ packed: Data, size: Int) throws -> Data {
    var stream = z_stream()
    // Below 0: Deflate alone, without zlib's header.
    let version = (ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard inflateInit2_(&stream, -MAX_WBITS, version.0, version.1) == Z_OK else { throw InflateError.damaged }
    defer { inflateEnd(&stream) }
    // No more than the input can hold by any packing, whatever it claims; the last byte shows that it holds more.
    var output = Data(count: min(size, packed.count * mostRatio) + 1)
    let status = packed.withUnsafeBytes { input in
        output.withUnsafeMutableBytes { room in
            stream.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
            stream.avail_in = UInt32(input.count)
            stream.next_out = room.bindMemory(to: UInt8.self).baseAddress
            stream.avail_out = UInt32(room.count)
            return inflate(&stream, Z_FINISH)
        }
    }
    let count = Int(stream.total_out)
    if count > size { throw InflateError.more }
    guard status == Z_STREAM_END, count == size else { throw InflateError.damaged }
    return output.prefix(count)
}
