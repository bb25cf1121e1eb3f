/// What goes wrong, and what a bundle lacks, in words.

import AzxBundle
import AzxDrawing
import AzxEngine
import AzxPlay

/// An error as one sentence for people; the engine's own sentences are only in English. `otherwise` is the key of the sentence
/// for an error without one.
func describe(_ error: any Error, otherwise key: String = "error_load") -> Phrase.Part {
    switch error {
    case let error as Unplayable:
        .words("error_unplayable", .text(error.bundle), joinClauses(error.problems.map(part)))
    case let error as BundleError: .phrase(Phrase(error.key, error.places.map { .text($0) }))
    case let error as RecordError: .phrase(sentence(error))
    case let error as GameError: .text(error.sentence)
    case is Damaged: .words("library_damaged")
    default: .words(key, .text("\(error)"))
    }
}

/// Whether another try may succeed. It cannot mend a fault of a bundle or a game.
func mayPass(_ error: any Error) -> Bool {
    switch error {
    case is Unplayable, is BundleError, is RecordError, is GameError, is Damaged: false
    default: true
    }
}

extension Table {
    /// What went wrong at the table, as one sentence for people; nil if nothing did.
    public var complaint: Phrase.Part? { failure.map { describe($0, otherwise: "error_ask") } }

    /// Whether the network may answer if it is asked once more.
    public var mayPass: Bool { failure.map(AzxScreens.mayPass) ?? false }
}

/// Why a bundle cannot be played, and whether its self-test runs, as sentences.
func unplayable(_ bundle: GameBundle) -> Phrase.Part {
    let clauses = bundle.problems.map(part)
    let test = bundle.untestable.map { Phrase("test_cannot_run", part($0)) } ?? Phrase("test_runs")
    return .words("two_sentences", .words("cannot_play", joinClauses(clauses)), .phrase(test))
}

/// Clauses with the catalog's conjunction between them.
private func joinClauses(_ clauses: [Phrase.Part]) -> Phrase.Part {
    guard let last = clauses.last else { return .text("") }
    return clauses.dropLast().reversed().reduce(last) { .words("joined_clauses", $1, .words("and_clause"), $0) }
}

private func part(_ problem: Problem) -> Phrase.Part {
    .phrase(Phrase(Phrase.problem + problem.code, problem.places.map { .text($0) }))
}
