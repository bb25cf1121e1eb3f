/// Whether this app can play a bundle, in the clauses of the index.
///
/// They are those of bundle/playable.py, whose judgement the index has; this one is for the index of an older azx, and
/// for what another app's azx knows and this app does not.

import AzxEngine

/// How a bundle is played; or why it cannot be, a clause each, and then `reading` is nil.
struct Judged {
    let reading: Reading?
    let problems: [Remark]
}

/// What is known of a bundle by the index and by its own manifest.
func judge(_ entry: Entry, _ manifest: Manifest) -> Judged {
    let (reading, own) = judge(manifest)
    let told = entry.problems?.map { Remark(clause: $0) } ?? []
    let problems = (told.isEmpty ? own : told) + (hasArtifact(entry, manifest) ? [] : [Remark(.noArtifact, [])])
    return Judged(reading: problems.isEmpty ? reading : nil, problems: problems)
}

/// The network's file may be another platform's alone.
func hasArtifact(_ entry: Entry, _ manifest: Manifest) -> Bool {
    manifest.recommended["ios"] != nil && (entry.format == nil || entry.format == format)
}

/// How the game is read, nil where it cannot be, and every reason why it cannot be played.
private func judge(_ manifest: Manifest) -> (Reading?, [Remark]) {
    let (reading, problem) = described(manifest)
    var problems = problem.map { [$0] } ?? []
    if manifest.inputs.count != 1 { problems.append(Remark(.inputs, ["\(manifest.inputs.count)"])) }
    if manifest.outputs.allSatisfy({ $0.role == .other }) { problems.append(Remark(.noHeads, [])) }
    if manifest.rows != 1 { problems.append(Remark(.batch, ["\(manifest.rows)"])) }
    if let fault = manifest.output(.value)?.fault { problems.append(Remark(.unreadableValue, [reason(fault)])) }
    return (reading, problems)
}

/// How the game is read, or why it cannot be.
private func described(_ manifest: Manifest) -> (Reading?, Remark?) {
    guard let game = manifest.game, !game.isEmpty else { return (nil, Remark(.noGame, [])) }
    guard Game.games.contains(where: { $0.name == game }) else { return (nil, Remark(.unknownGame, [game])) }
    if manifest.data["encoding"].isNull { return (nil, Remark(.noEncoding, [])) }
    do {
        let reading = try Reading(manifest: manifest.data, width: manifest.output(.policy)?.port.size)
        let (made, read) = (reading.encoding.size, manifest.input.size)
        let differs = manifest.inputs.count == 1 && made != read
        return (reading, differs ? Remark(.encodingSize, ["\(made)", "\(read)"]) : nil)
    } catch {
        return (nil, Remark(.unreadable, [reason(error)]))
    }
}

/// The engine's sentence as a clause.
private func reason(_ error: any Error) -> String {
    let sentence = (error as? GameError)?.sentence ?? "\(error)"
    return sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
}
