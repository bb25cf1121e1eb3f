/// The bundles that a person has opened, saved until they are removed: a folder each, like installed ones, with an index
/// beside them. A bundle enters the index after all its files are on the disk, and leaves it before they are removed.

import AzxEngine
import Foundation

public struct GivenBundles: Sendable {
    /// The name of the folder among those of the app.
    public static let folder = "given"
    public let store: Store
    private let leaveOut: @Sendable (URL) throws -> Void

    /// `leaveOut` keeps a folder out of the device's backups: its owner has the bundles elsewhere.
    public init(_ root: URL, leaveOut: @escaping @Sendable (URL) throws -> Void = leaveOutOfBackups) {
        store = Store(root)
        self.leaveOut = leaveOut
    }

    /// The saved bundles, by names that are not among `names`; none if the index is damaged.
    public func entries(besides names: [String]) -> [Entry] {
        // Version 1 was the same here: no saved entry has problems.
        let found = (try? readIndex(store, versions: [1, indexVersion])) ?? []
        guard found.contains(where: { names.contains($0.name) }) else { return found }
        // A bundle with its name was installed since.
        var own = found.map(\.name)
        let renamed = found.map { entry -> Entry in
            guard names.contains(entry.name) else { return entry }
            let name = freeName(entry.name, besides: names + own)
            own.append(name)
            let isMoved = (try? FileManager.default.moveItem(at: store.url(entry.name), to: store.url(name))) != nil
            var renamed = entry
            if isMoved { renamed.name = name }
            return renamed
        }
        try? write(renamed)
        return renamed.filter { !names.contains($0.name) }
    }

    /// Save a bundle in place of one with its name; BundleError if that fails, and then nothing of it stays.
    public func keep(_ taken: Taken) throws {
        let (name, others) = (taken.entry.name, entries(besides: []).filter { $0.name != taken.entry.name })
        let new = store.url(".new")
        do {
            // Before the first byte: a backup may begin at any time.
            try makeRoot()
            clear(but: others.map(\.name) + [name])
            for (path, bytes) in taken.files {
                let file = new.appending(path: path)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try bytes.write(to: file)
            }
            try write(others)
            try? FileManager.default.removeItem(at: store.url(name))
            try FileManager.default.moveItem(at: new, to: store.url(name))
            try write(others + [taken.entry])
        } catch {
            clear(but: others.map(\.name))
            throw keepingError(taken, error)
        }
    }

    /// Remove a saved bundle; BundleError if that fails.
    public func remove(_ name: String) throws {
        let others = entries(besides: []).filter { $0.name != name }
        do {
            try write(others)
        } catch {
            throw BundleError("given_not_removed", name, reason(of: error))
        }
        clear(but: others.map(\.name))
    }

    /// Remove what is left of bundles that were only partly saved or removed.
    private func clear(but names: [String]) {
        let found = (try? FileManager.default.contentsOfDirectory(atPath: store.root.path)) ?? []
        for name in found where name != indexFile && !names.contains(name) {
            try? FileManager.default.removeItem(at: store.url(name))
        }
    }

    private func makeRoot() throws {
        try FileManager.default.createDirectory(at: store.root, withIntermediateDirectories: true)
        // A person could not mend a failure here, so it is ignored.
        try? leaveOut(store.root)
    }

    private func write(_ entries: [Entry]) throws {
        try makeRoot()
        let bytes = try JSONEncoder().encode(Index(schema_version: indexVersion, bundles: entries))
        try bytes.write(to: store.url(indexFile), options: .atomic)
    }
}

/// Keep a folder out of the device's backups, which must not have what can be had again.
/// https://developer.apple.com/documentation/foundation/urlresourcevalues/isexcludedfrombackup
public func leaveOutOfBackups(_ folder: URL) throws {
    #if canImport(Darwin)
        var folder = folder
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try folder.setResourceValues(values)
    #endif
}

/// Why a bundle was not kept.
func keepingError(_ taken: Taken, _ error: any Error) -> BundleError {
    let name = taken.entry.name
    if (error as? CocoaError)?.code == .fileWriteOutOfSpace {
        return BundleError("given_no_room", name, megabytes(taken.size))
    }
    return BundleError("given_not_kept", name, reason(of: error))
}

/// In tenths, and one of them at least.
public func megabytes(_ bytes: Int) -> String {
    let tenths = max(1, (bytes + 50_000) / 100_000)
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
}

/// An index as `azx install` writes it.
private struct Index: Encodable {
    let schema_version: Int
    let bundles: [Entry]
}
