import Foundation

/// Networks that a device has compiled, each in a folder of its own, by the digest of its bundle's manifest.
///
/// Those that were used last stay. A file beside them lists them, the last one first: an app would have to give a reason for
/// reading the dates of files.
public actor CompiledModels {
    /// The number that stays: more than a person plays with in a day, and at most some hundred megabytes.
    public static let most = 8
    private static let suffix = ".mlmodelc"
    private let folder: URL

    public init(_ folder: URL) {
        self.folder = folder
    }

    /// The place of a digest's compiled network, which counts as used now; nil if there is none.
    public func find(_ digest: String) -> URL? {
        let place = place(digest)
        guard FileManager.default.fileExists(atPath: place.path) else { return nil }
        use(digest)
        return place
    }

    /// Move a compiled network here, and return its new place; its old place if it cannot be moved, as on a full disk.
    public func keep(_ made: URL, _ digest: String) -> URL {
        let place = place(digest)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            // Somebody else may have been faster.
            try? FileManager.default.removeItem(at: place)
            try FileManager.default.moveItem(at: made, to: place)
        } catch {
            return made
        }
        use(digest)
        return place
    }

    /// Remove a network that does not load: another system made it, or it is incomplete.
    public func forget(_ digest: String) {
        try? FileManager.default.removeItem(at: place(digest))
    }

    private func place(_ digest: String) -> URL { folder.appending(path: digest + Self.suffix) }
    private var list: URL { folder.appending(path: "used.txt") }

    /// Note that one is used, and remove those that were unused for the longest time.
    private func use(_ digest: String) {
        let before = ((try? String(contentsOf: list, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
        let used = Array(([digest] + before.filter { $0 != digest }).prefix(Self.most))
        try? Data(used.joined(separator: "\n").utf8).write(to: list, options: .atomic)
        let found = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in found where name.hasSuffix(Self.suffix) && !used.contains(String(name.dropLast(Self.suffix.count))) {
            try? FileManager.default.removeItem(at: folder.appending(path: name))
        }
    }
}
