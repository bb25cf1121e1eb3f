import AzxEngine
import Foundation

/// The operations that a network's file may be made of, as every command of azx has them: those whose answer depends on
/// their inputs alone, and that do nothing else.
enum AllowedOperations {
    /// Those of Core ML's programs.
    static let coreML: Set<String> = {
        guard let url = Bundle.module.url(forResource: "operations", withExtension: "json"),
            let data = try? Data(contentsOf: url), let names = (try? Json(parsing: data))?["coreml"].list(of: \.text)
        else { fatalError("operations.json is missing or damaged, this is a bug.") }
        return Set(names)
    }()
}
