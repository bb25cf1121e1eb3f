/// Whether this app can play a bundle.
///
/// The problems are those of bundle/contents/playable.py, which the index and a manifest list. This check is for older
/// manifests, and for what another version of azx knows and this app does not.

import AzxEngine

/// How a bundle is played, by the index and its own manifest; `reading` is nil if it cannot be, for the `problems`.
func judge(_ entry: Entry, _ manifest: Manifest) -> (reading: Reading?, problems: [Problem]) {
    let (reading, own) = judge(manifest)
    let missing = hasArtifact(entry, manifest) ? [] : [Problem("no_artifact")]
    let problems = Problem.union(own, manifest.problems, entry.problems, missing)
    return (problems.isEmpty ? reading : nil, problems)
}

/// The network's file may be another platform's alone.
func hasArtifact(_ entry: Entry, _ manifest: Manifest) -> Bool {
    manifest.recommended["ios"] != nil && (entry.format == nil || entry.format == format)
}

/// How the game is read, nil if it cannot be, and every reason why it cannot be played.
private func judge(_ manifest: Manifest) -> (Reading?, [Problem]) {
    let (reading, problem) = read(manifest)
    var problems = problem.map { [$0] } ?? []
    let inputs = manifest.data["encoding"]["beside"].members == nil ? 1 : 2
    if manifest.inputs.count != inputs { problems.append(Problem("inputs", "\(manifest.inputs.count)")) }
    if manifest.outputs.allSatisfy({ $0.role == .other }) { problems.append(Problem("no_heads")) }
    if manifest.rows != 1 { problems.append(Problem("batch", "\(manifest.rows)")) }
    let search = manifest.data["search"]
    if !search.isNull, let fault = SearchSettings.fault(in: search) { problems.append(Problem("search", fault)) }
    if let fault = manifest.output(.value)?.fault { problems.append(Problem("unreadable_value", clause(fault.sentence))) }
    return (reading, problems)
}

/// How the game is read, or why it cannot be.
private func read(_ manifest: Manifest) -> (Reading?, Problem?) {
    guard let game = manifest.game, !game.isEmpty else { return (nil, Problem("no_game")) }
    guard Game.games.contains(where: { $0.name == game }) else { return (nil, Problem("unknown_game", game)) }
    if manifest.data["encoding"].isNull { return (nil, Problem("no_encoding")) }
    do {
        let reading = try Reading(manifest: manifest.data, width: manifest.output(.policy)?.port.size)
        let (made, read) = (reading.encoding.inputSizes, manifest.inputs.map(\.size))
        let differing = made.count == read.count ? zip(made, read).first { $0 != $1 } : nil
        return (reading, differing.map { Problem("size", "\($0.0)", "\($0.1)") })
    } catch {
        return (nil, Problem("unreadable", clause("\(error)")))
    }
}
