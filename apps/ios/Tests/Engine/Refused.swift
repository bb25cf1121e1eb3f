import AzxEngine
import Testing

/// That `body` ends with a GameError whose sentence holds `words`.
func expectRefused<Found>(
    _ words: String, at place: SourceLocation = #_sourceLocation, _ body: () async throws -> Found
) async {
    do {
        _ = try await body()
        Issue.record("nothing was refused with '\(words)'", sourceLocation: place)
    } catch let error as GameError {
        #expect(error.sentence.contains(words), sourceLocation: place)
        #expect(error.sentence.hasSuffix("."), sourceLocation: place)
    } catch {
        Issue.record("\(error) is no GameError", sourceLocation: place)
    }
}
