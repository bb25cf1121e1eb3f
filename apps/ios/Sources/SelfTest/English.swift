import AzxBundle
import AzxEngine
import Foundation

/// The English texts of apps/texts by their keys, as apps/tools/write_texts.py copies them: a terminal has no catalog.
private let texts: Json = {
    guard let file = Bundle.module.url(forResource: "en", withExtension: "json"),
        let texts = try? Json(parsing: Data(contentsOf: file))
    else { fatalError("en.json is not among the command's resources.") }
    return texts
}()

/// What went wrong, as an English sentence.
func describe(_ error: any Error) -> String {
    guard let error = error as? BundleError, let text = texts[error.key].text else { return "\(error)" }
    return error.places.enumerated().reduce(text) { text, place in
        text.replacingOccurrences(of: "%\(place.offset + 1)$s", with: place.element)
    }
}
