/// A bundle that a person gives to the app: its folder, or a .zip of it, checked.

import AzxEngine
import Foundation

/// A checked bundle that is not saved yet: its entry for the list, and its files by their paths.
public struct Taken: Sendable {
    public let entry: Entry
    public let files: [String: Data]

    /// All its bytes.
    public var size: Int { files.values.reduce(0) { $0 + $1.count } }
}

// Of all its files together.
private let mostBytes = 300_000_000
// A name becomes that of a folder.
private let longestName = 100

/// The bundle that lies at `url`, a folder or a .zip, by a name that none of `names` is. BundleError if it is not
/// sound, or its network does not pass the door. Reads the disk.
public func take(_ url: URL, besides names: [String]) throws -> Taken {
    let what = url.lastPathComponent
    let members = try members(at: url, called: what)
    try checkPaths(members, what)
    let root = try root(of: members, what)
    let found = Dictionary(uniqueKeysWithValues: members.map { ($0.path, $0) })
    let about = try jsonBytes(found[root + manifestFile], what, manifestFile)
    guard let data = try? Json(parsing: about) else { throw BundleError("error_json", what, manifestFile) }
    let manifest = try Manifest(data, of: what)
    var files = try checkFiles(try Manifest(data, of: manifest.name)) { found[root + $0] }
    if let artifact = manifest.recommended["ios"],
        let fault = findFault(inPackage: package(artifact, files), of: manifest.name)
    {
        throw fault
    }
    files[manifestFile] = about
    let own = FileEntry(path: manifestFile, sha256: sha256(about), size: about.count)
    let listed = [own] + manifest.files.filter { files[$0.path] != nil }
    return Taken(entry: entry(manifest, freeName(folderName(manifest.name), besides: names), listed), files: files)
}

/// Whether to open `url` as a bundle, if only to say what it lacks: it is a folder, a .zip, a manifest, or a network. Reads the
/// disk.
public func looksLikeBundle(_ url: URL) -> Bool {
    let name = url.lastPathComponent
    if isFolder(url) || name == manifestFile || url.pathExtension.lowercased() == "zip" { return true }
    guard let data = try? Data(contentsOf: url, options: .mappedIfSafe) else { return false }
    return Zip(data, called: name).isZip || foreign(name, data) != nil
}

/// The files in a folder, or those in a .zip.
private func members(at url: URL, called what: String) throws -> [Member] {
    if isFolder(url) { return try members(inFolder: url, called: what) }
    guard let data = try? Data(contentsOf: url, options: .mappedIfSafe) else { throw BundleError("given_nothing") }
    if let foreign = foreign(what, data) { throw foreign }
    if data.count > mostBytes { throw tooLarge(what) }
    let zip = Zip(data, called: what)
    if what != manifestFile || zip.isZip { return try zip.members() }
    return [Member(path: what, size: data.count) { data }]
}

/// The plain files below a folder, whose own name begins their paths; what is linked to lies elsewhere.
private func members(inFolder url: URL, called what: String) throws -> [Member] {
    var members: [Member] = []
    guard let paths = FileManager.default.enumerator(atPath: url.path) else { throw BundleError("given_nothing") }
    while let path = paths.nextObject() as? String {
        guard let type = paths.fileAttributes?[.type] as? FileAttributeType, type == .typeRegular else { continue }
        if members.count == mostMembers { throw BundleError("given_too_many", what, "\(mostMembers)") }
        let size = (paths.fileAttributes?[.size] as? NSNumber)?.intValue ?? 0
        let file = url.appending(path: path)
        members.append(Member(path: "\(what)/\(path)", size: size) { try Data(contentsOf: file, options: .mappedIfSafe) })
    }
    // A disk lists them in no certain order.
    return members.sorted { $0.path < $1.path }
}

private func isFolder(_ url: URL) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) && isFolder.boolValue
}

/// BundleError if a path leads out of the bundle, or stands there twice.
private func checkPaths(_ members: [Member], _ what: String) throws {
    if let outside = members.first(where: { !isInside($0.path) }) {
        throw BundleError("given_outside", what, outside.path)
    }
    var paths: Set<String> = []
    for member in members where !paths.insert(member.path).inserted {
        throw BundleError("given_twice", what, member.path)
    }
}

/// The beginning of the bundle's paths: "" or a folder with "/" after it.
private func root(of members: [Member], _ what: String) throws -> String {
    let roots = members.map(\.path).filter { $0 == manifestFile || $0.hasSuffix("/" + manifestFile) }
        .map { String($0.dropLast(manifestFile.count)) }
    let depth = { (root: String) in root.count { $0 == "/" } }
    let least = roots.map(depth).min()
    let highest = roots.filter { depth($0) == least }
    guard let root = highest.first else {
        throw foreign(among: members, of: what) ?? BundleError("given_no_manifest", what)
    }
    guard highest.count == 1 else { throw BundleError("given_several", what, "\(highest.count)") }
    return root
}

/// Those files that this app reads, by path, each with the size and the hash that the manifest says.
///
/// The artifact and golden.json have to be there. Other formats' files may have been left out, as `azx install` does;
/// those that are there are checked like the rest, and forgotten.
private func checkFiles(_ manifest: Manifest, _ find: (String) -> Member?) throws -> [String: Data] {
    let name = manifest.bundle
    guard let artifact = manifest.recommended["ios"] else { throw BundleError("error_no_artifact", name) }
    _ = try manifest.files(of: artifact)
    let listed = manifest.files.map { (file: $0, member: find($0.path)) }
    let size = listed.reduce(0) { $0 + ($1.member == nil ? 0 : min($1.file.size, mostBytes + 1)) }
    if size > mostBytes { throw tooLarge(name) }
    var kept: [String: Data] = [:]
    for (file, member) in listed {
        let isNeeded = file.path == goldenFile || file.path == artifact || file.path.hasPrefix(artifact + "/")
        guard let member else {
            if isNeeded { throw BundleError("given_missing", name, file.path) }
            continue
        }
        guard member.size == file.size else { throw wrongSize(file, member.size, name) }
        let bytes = try file.path.hasSuffix(".json") ? jsonBytes(member, name, file.path) : bytes(of: member, name)
        guard bytes.count == file.size else { throw wrongSize(file, bytes.count, name) }
        guard sha256(bytes) == file.sha256 else { throw BundleError("given_hash", name, file.path) }
        if isNeeded { kept[file.path] = bytes }
    }
    return kept
}

/// The files of a package by their paths below it.
private func package(_ artifact: String, _ files: [String: Data]) -> [String: Data] {
    let inside = files.filter { $0.key.hasPrefix(artifact + "/") }
    return Dictionary(uniqueKeysWithValues: inside.map { (String($0.key.dropFirst(artifact.count + 1)), $0.value) })
}

/// The bytes of a file that is read as JSON; BundleError if there are too many.
private func jsonBytes(_ member: Member?, _ name: String, _ path: String) throws -> Data {
    guard let member else { throw BundleError("given_missing", name, path) }
    guard member.size <= mostJsonBytes else {
        throw BundleError("given_json_too_large", name, path, "\(megabytes(member.size))", "\(megabytes(mostJsonBytes))")
    }
    return try bytes(of: member, name)
}

/// A file may have gone since it was chosen.
private func bytes(of member: Member, _ name: String) throws -> Data {
    do {
        return try member.bytes()
    } catch let error as BundleError {
        throw error
    } catch {
        throw BundleError("given_unreadable", name, member.path, reason(of: error))
    }
}

private func entry(_ manifest: Manifest, _ name: String, _ files: [FileEntry]) -> Entry {
    // Why it cannot be played is judged by the manifest whenever it is listed: a later app may know more games.
    Entry(
        name: name, title: title(manifest, name), game: manifest.game, artifact: manifest.recommended["ios"],
        format: format, files: files)
}

/// The game's title, with the bundle's name if that says more, as `azx install` writes it.
private func title(_ manifest: Manifest, _ name: String) -> String {
    guard let game = Game.games.first(where: { $0.name == manifest.game }) else { return name }
    return manifest.name == manifest.game ? game.title : "\(game.title) (\(manifest.name))"
}

/// A bundle's name as a folder's; "bundle" if it cannot be one.
private func folderName(_ name: String) -> String {
    let isOne = isInside(name) && !name.utf8.contains(UInt8(ascii: "/")) && name.utf8.count <= longestName
    // The index is beside it, and what begins with a dot is hidden.
    return isOne && !name.hasPrefix(".") && name != indexFile ? name : "bundle"
}

/// `own`, numbered if it is one of `names`.
func freeName(_ own: String, besides names: [String]) -> String {
    var (name, number) = (own, 2)
    while names.contains(name) {
        name = "\(own)-\(number)"
        number += 1
    }
    return name
}

private func wrongSize(_ file: FileEntry, _ size: Int, _ name: String) -> BundleError {
    BundleError("given_size", name, file.path, "\(size)", "\(file.size)")
}

private func tooLarge(_ what: String) -> BundleError {
    BundleError("given_too_large", what, "\(megabytes(mostBytes))", exported)
}

private func megabytes(_ bytes: Int) -> Int { (bytes + 999_999) / 1_000_000 }

/// What an error of the system says, as a clause.
func reason(of error: any Error) -> String { clause(error.localizedDescription) }
