/// The folder of bundles, and how their files are read and checked.

import AzxEngine
import Foundation

/// A file of a bundle: its path below the bundle's folder, SHA-256 in hexadecimal digits, size in bytes.
public struct FileEntry: Encodable, Hashable, Sendable {
    public let path: String
    public let sha256: String
    public let size: Int

    public init(path: String, sha256: String, size: Int) {
        self.path = path
        self.sha256 = sha256
        self.size = size
    }

    /// A file as an index and a manifest list it; nil if something is missing.
    init?(_ data: Json) {
        guard let path = data["path"].text, let sha256 = data["sha256"].text, let size = data["size"].whole else {
            return nil
        }
        self.init(path: path, sha256: sha256, size: size)
    }
}

/// Whether a path names something below a folder, and nothing else on any system.
func isInside(_ path: String) -> Bool {
    // By its bytes, as a disk reads them: a letter of Swift's may be a "/" with an accent behind it.
    let bytes = Array(path.utf8)
    let hasDrive = bytes.count > 1 && bytes[1] == UInt8(ascii: ":") && Character(Unicode.Scalar(bytes[0])).isLetter
    return !hasDrive && !bytes.contains(UInt8(ascii: "\\")) && !bytes.contains(0)
        && bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty && ![".", ".."].contains { part.elementsEqual($0.utf8) }
        }
}

/// How many bytes a file that is read as JSON may have; a bundle's have some hundred kilobytes.
let mostJsonBytes = 16 << 20

/// The folder of installed bundles; paths are relative to it, with `/`.
public struct Store: Hashable, Sendable {
    /// The name of the folder in the app, which sentences tell.
    public static let folder = "azx"
    let root: URL

    public init(_ root: URL) {
        self.root = root
    }

    func url(_ path: String) -> URL { root.appending(path: path) }

    /// The bytes of a small file; of a larger one just enough to show its size. nil if the file is missing.
    func bytes(_ path: String) -> Data? {
        guard let handle = try? FileHandle(forReadingFrom: url(path)) else { return nil }
        defer { try? handle.close() }
        return (try? handle.read(upToCount: mostJsonBytes + 1)) ?? Data()
    }

    /// The bytes of a large file, mapped if possible; nil if the file is missing.
    func mapBytes(_ path: String) -> Data? {
        try? Data(contentsOf: url(path), options: .mappedIfSafe)
    }
}

/// BundleError if `bytes` are not those of the entry.
func check(_ bytes: Data, _ file: FileEntry, _ bundle: String) throws {
    guard bytes.count == file.size else {
        throw BundleError("error_size", bundle, file.path, "\(bytes.count)", "\(file.size)")
    }
    guard sha256(bytes) == file.sha256 else { throw BundleError("error_hash", bundle, file.path) }
}
