/// The members of a .zip, by its central directory, which alone decides its content.
///
/// Members are unpacked on demand, into at most as many bytes as the directory says. A sentence refuses what few packers write
/// and this app does not need: several disks, Zip64, encryption.

import Foundation

/// A file of a folder or a .zip that a person opens: its path below that, and its bytes on demand.
public struct Member {
    public let path: String
    public let size: Int
    public let bytes: () throws -> Data
}

/// The most files of a bundle that a person opens.
let mostMembers = 2000

/// A .zip in `data`; sentences call it `name`.
struct Zip {
    // The directory's end stands behind it, before a comment of 64 KiB at most.
    static let end = (signature: 0x0605_4b50, size: 22, comment: 0xffff)
    private static let locator64 = (signature: 0x0706_4b50, size: 20)
    static let entry = (signature: 0x0201_4b50, size: 46)
    static let local = (signature: 0x0403_4b50, size: 30)
    private static let mostDirectoryBytes = 4_000_000
    private static let encrypted = 0x2041
    private static let (stored, deflated) = (0, 8)
    // The marks of a number that stands in a Zip64 record.
    private static let (full16, full32) = (0xffff, 0xffff_ffff)

    private let data: Data
    private let name: String

    init(_ data: Data, called name: String) {
        (self.data, self.name) = (data, name)
    }

    /// Whether this begins as a .zip does.
    var isZip: Bool {
        data.count >= 4 && [Self.local.signature, Self.end.signature].contains(long(0))
    }

    /// Its files; BundleError if it is not a .zip, is of a kind that is not read, or has more than `most`.
    func members(most: Int = mostMembers) throws -> [Member] {
        let directory = try directory(most)
        var (members, at) = ([Member](), directory.offset)
        let behind = directory.offset + directory.size
        for _ in 0..<directory.count {
            guard at + Self.entry.size <= behind, long(at) == Self.entry.signature else { throw damaged }
            let named = at + Self.entry.size
            let next = named + short(at + 28) + short(at + 30) + short(at + 32)
            guard next <= behind else { throw damaged }
            let path = String(decoding: data[named..<named + short(at + 28)], as: UTF8.self)
            // A folder's own entry adds nothing to its files'.
            if path.utf8.last != UInt8(ascii: "/") { members.append(try member(path, at)) }
            at = next
        }
        return members
    }

    /// The place of the central directory, and the number of its entries.
    private func directory(_ most: Int) throws -> (count: Int, size: Int, offset: Int) {
        let from = max(0, data.count - Self.end.size - Self.end.comment)
        let places = stride(from: data.count - Self.end.size, through: from, by: -1)
        // Its comment fills the rest.
        let last = places.first {
            long($0) == Self.end.signature && $0 + Self.end.size + short($0 + 20) == data.count
        }
        guard let at = last else { throw BundleError("zip_none", name) }
        let (disk, first, here, count) = (short(at + 4), short(at + 6), short(at + 8), short(at + 10))
        let (size, offset) = (long(at + 12), long(at + 16))
        let locator = at - Self.locator64.size
        let is64 = locator >= 0 && long(locator) == Self.locator64.signature
        if is64 || count == Self.full16 || size == Self.full32 || offset == Self.full32 {
            throw BundleError("zip_64", name)
        }
        guard disk == 0, first == 0, here == count else { throw BundleError("zip_parts", name) }
        guard count <= most else { throw BundleError("zip_entries", name, "\(count)", "\(most)") }
        guard size <= Self.mostDirectoryBytes, offset + size <= at else { throw damaged }
        return (count, size, offset)
    }

    /// The member whose entry stands at `at`.
    private func member(_ path: String, _ at: Int) throws -> Member {
        let (flags, method) = (short(at + 8), short(at + 10))
        let (packed, size, offset) = (long(at + 20), long(at + 24), long(at + 42))
        if flags & Self.encrypted != 0 { throw BundleError("zip_encrypted", name, path) }
        if [packed, size, offset].contains(Self.full32) { throw BundleError("zip_64", name) }
        guard method == Self.stored || method == Self.deflated else {
            throw BundleError("zip_packing", name, path, "\(method)")
        }
        if method == Self.stored, packed != size { throw damaged }
        return Member(path: path, size: size) {
            let bytes = try packedBytes(offset, packed)
            return method == Self.stored ? bytes : try unpack(bytes, size)
        }
    }

    /// The bytes after a member's own header.
    private func packedBytes(_ offset: Int, _ packed: Int) throws -> Data {
        guard offset + Self.local.size <= data.count, long(offset) == Self.local.signature else { throw damaged }
        let begin = offset + Self.local.size + short(offset + 26) + short(offset + 28)
        guard begin + packed <= data.count else { throw damaged }
        return data.subdata(in: begin..<begin + packed)
    }

    private func unpack(_ bytes: Data, _ size: Int) throws -> Data {
        do {
            return try inflate(bytes, size: size)
        } catch InflateError.more {
            throw BundleError("zip_more", name)
        } catch {
            throw damaged
        }
    }

    private var damaged: BundleError { BundleError("zip_damaged", name) }

    /// The number in two bytes, and in four, which must lie within the data.
    private func short(_ at: Int) -> Int { Int(data[at]) | Int(data[at + 1]) << 8 }
    private func long(_ at: Int) -> Int { short(at) | short(at + 2) << 16 }
}
