/// Files as a .zip, its members as they are: JSON this small is not worth packing.

import Foundation

#if canImport(zlib)
    import zlib
#else
    import CSystem
#endif

/// A file of a .zip that is written: its path, when it was changed, its bytes.
public struct ZipEntry: Sendable {
    let path: String
    let changed: Date
    let bytes: Data

    public init(_ path: String, changed: Date, _ bytes: Data) {
        (self.path, self.changed, self.bytes) = (path, changed, bytes)
    }
}

/// The .zip of these files, without Zip64: 65,535 of them and 4 GB at most.
public func zip(_ files: [ZipEntry]) -> Data {
    var (local, directory) = (Data(), Data())
    for file in files {
        let (name, size) = (Data(file.path.utf8), file.bytes.count)
        // Version 2.0, names in UTF-8, stored.
        let about = short(20) + short(0x0800) + short(0) + long(dosDate(file.changed)) + long(crc(file.bytes))
            + long(size) + long(size) + short(name.count) + short(0)
        directory += long(Zip.entry.signature) + short(20) + about
        // No comment, the first disk, no attributes; then the place of its header.
        directory += [UInt8](repeating: 0, count: 10) + long(local.count) + name
        local += long(Zip.local.signature) + about + name + file.bytes
    }
    let counts = short(files.count) + short(files.count)
    return local + directory + long(Zip.end.signature) + long(0) + counts + long(directory.count) + long(local.count)
        + short(0)
}

/// The files of a .zip, read on demand; BundleError if `data` is not a .zip, or has more than `most`.
public func unzip(_ data: Data, called name: String, most: Int) throws -> [Member] {
    try Zip(data, called: name).members(most: most)
}

/// In MS-DOS's halves: two seconds, minutes, hours; day, month, years since 1980.
private func dosDate(_ date: Date) -> Int {
    let part = Calendar(identifier: .gregorian).dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
    let time = (part.hour ?? 0) << 11 | (part.minute ?? 0) << 5 | (part.second ?? 0) >> 1
    let day = min(127, max(0, (part.year ?? 0) - 1980)) << 9 | (part.month ?? 1) << 5 | (part.day ?? 1)
    return day << 16 | time
}

private func crc(_ bytes: Data) -> Int {
    bytes.withUnsafeBytes { Int(crc32(0, $0.bindMemory(to: UInt8.self).baseAddress, UInt32($0.count))) }
}

private func short(_ number: Int) -> [UInt8] { [UInt8(number & 0xff), UInt8(number >> 8 & 0xff)] }
private func long(_ number: Int) -> [UInt8] { short(number & 0xffff) + short(number >> 16 & 0xffff) }
