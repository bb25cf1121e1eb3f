/// Files of .zip, made for tests: sound ones, and such as say what is not so.

import Foundation

public enum Zipped {
    /// What a member says of itself in place of what is so.
    public struct Edit: Sendable {
        let method, flags, size: Int?

        public init(method: Int? = nil, flags: Int? = nil, size: Int? = nil) {
            (self.method, self.flags, self.size) = (method, flags, size)
        }
    }

    /// A .zip of these members, packed by Deflate where none says otherwise.
    public static func pack(_ members: [(String, Data)], _ edits: [String: Edit]) -> Data {
        var (bytes, directory) = (Data(), Data())
        for (path, content) in members {
            let (edit, name) = (edits[path] ?? Edit(), Data(path.utf8))
            let (method, flags) = (edit.method ?? 8, edit.flags ?? 0)
            let packed = method == 8 ? deflate(content) : content
            let sizes = short(method) + long(0) + long(0) + long(packed.count) + long(edit.size ?? content.count)
            let offset = bytes.count
            bytes += long(0x0403_4b50) + short(20) + short(flags) + sizes + short(name.count) + short(0) + name + packed
            directory += long(0x0201_4b50) + short(20) + short(20) + short(flags) + sizes + short(name.count)
            directory += [UInt8](repeating: 0, count: 12) + long(offset) + name
        }
        let counts = short(members.count) + short(members.count)
        return bytes + directory + long(0x0605_4b50) + long(0) + counts + long(directory.count) + long(bytes.count)
            + short(0)
    }

    /// What Deflate makes of bytes that it leaves as they are: blocks of 64 KiB at most.
    private static func deflate(_ content: Data) -> Data {
        var (packed, at) = (Data(), 0)
        repeat {
            let part = content.dropFirst(at).prefix(0xffff)
            at += part.count
            packed += [at == content.count ? 1 : 0] + short(part.count) + short(~part.count & 0xffff) + part
        } while at < content.count
        return packed
    }

    private static func short(_ number: Int) -> [UInt8] { [UInt8(number & 0xff), UInt8(number >> 8 & 0xff)] }
    private static func long(_ number: Int) -> [UInt8] { short(number & 0xffff) + short(number >> 16 & 0xffff) }
}
