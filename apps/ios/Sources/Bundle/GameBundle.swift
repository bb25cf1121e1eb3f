import AzxEngine
import Foundation

/// A bundle that has been read and checked: its manifest, how its game is read, and its other files when asked for.
public struct GameBundle: Sendable {
    public let entry: Entry
    public let manifest: Manifest
    public let reading: Reading
    private let store: Store

    /// The bundle of an index's entry, its manifest checked; BundleError where it cannot be played.
    public init(_ entry: Entry, _ store: Store) throws {
        let place = "Bundle '\(entry.name)'"
        guard let file = entry.files.first(where: { $0.path == "manifest.json" }) else {
            throw BundleError("\(place): the index does not list its manifest.json: install the bundle again.")
        }
        let manifest = try Manifest(try json(store, entry, file, place), place)
        self.entry = entry
        self.manifest = manifest
        self.store = store
        reading = try readingOf(manifest)
    }

    /// Where the network lies, a file or a folder, once all of it was checked; `device` is the kind that it was
    /// recommended for. BundleError where something is missing or is not the manifest's.
    public func model(for device: String = "ios") throws -> URL {
        guard let artifact = manifest.recommended[device] else {
            throw BundleError("\(manifest.place): it has no Core ML artifact: export it with --format coreml.")
        }
        for file in try manifest.files(of: artifact) {
            guard let bytes = store.mapped("\(entry.name)/\(file.path)") else { throw missing(manifest.place, file.path) }
            try check(bytes, file, manifest.place)
        }
        return store.url("\(entry.name)/\(artifact)")
    }

    /// The self-test's positions, at least one; BundleError where they cannot be read.
    public func golden() throws -> [Golden] {
        let data = try json(store, entry, try manifest.file("golden.json"), manifest.place)
        return try Golden.positions(data, manifest)
    }
}

private func readingOf(_ manifest: Manifest) throws -> Reading {
    let reading: Reading
    do {
        reading = try Reading(manifest: manifest.data, width: manifest.output(.policy)?.port.size)
    } catch let error as GameError {
        throw BundleError("\(manifest.place): \(error.sentence)")
    }
    let (made, read) = (reading.encoding.size, manifest.input.size)
    guard made == read else {
        throw BundleError(
            "\(manifest.place): its encoding makes \(made) numbers, its network reads \(read): export it again.")
    }
    return reading
}

private func json(_ store: Store, _ entry: Entry, _ file: FileEntry, _ place: String) throws -> Json {
    guard let bytes = try store.bytes("\(entry.name)/\(file.path)") else { throw missing(place, file.path) }
    try check(bytes, file, place)
    do {
        return try Json(parsing: bytes)
    } catch {
        throw BundleError("\(place): '\(file.path)' is no JSON: export the bundle again.")
    }
}

private func missing(_ place: String, _ path: String) -> BundleError {
    BundleError("\(place): '\(path)' is missing: install the bundle again.")
}
