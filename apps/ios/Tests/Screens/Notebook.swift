import AzxPlay

/// Texts that are kept for as long as a test runs.
final class Notebook: Keeping {
    private var texts: [String: String] = [:]

    func text(_ name: String) -> String? { texts[name] }
    func keep(_ text: String, _ name: String) { texts[name] = text }
    func forget(_ name: String) { texts[name] = nil }
}
