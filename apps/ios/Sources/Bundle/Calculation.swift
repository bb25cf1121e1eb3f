import AzxEngine

/// What the manifest claims of an artifact: that it is the checkpoint's calculation for every board, or that boards were only
/// tried. It is a text's key with its places.
///
/// The claim is its author's. The app shows it, in Python's words, and does not rely on it.
public struct Calculation: Equatable, Sendable {
    public let key: String
    public let places: [String]

    /// No reason that azx writes is longer.
    private static let longest = 600

    private init(_ key: String, _ places: String...) {
        self.key = key
        self.places = places
    }

    /// The claim about the artifact at `path`; nil if the manifest has none that this app can read.
    public init?(_ manifest: Manifest, at path: String?) {
        let listed = manifest.data["artifacts"].list ?? []
        guard let path, let artifact = listed.first(where: { $0["path"].text == path }) else { return nil }
        let told = artifact["calculation"]
        let reason = told["reason"].text.flatMap { !$0.isEmpty && $0.utf16.count <= Self.longest ? $0 : nil }
        let boards = grouped(told["boards"])
        switch (told["verdict"].text, boards, reason) {
        case ("differs", _, let reason?): self.init("calculation_differs", reason)
        case ("tried", let boards?, let reason?): self.init("calculation_tried", boards, reason)
        case ("same", let boards?, _):
            guard let operations = grouped(told["operations"]), let weights = grouped(told["weights"]),
                let exact = grouped(told["to_the_bit"])
            else { return nil }
            if exact == weights {
                self.init("calculation_exact", operations, weights, boards)
                return
            }
            guard let rounding = told["largest_rounding"].number, let hundredths = Int(exactly: (rounding * 100).rounded()),
                hundredths >= 0
            else { return nil }
            let fraction = hundredths % 100
            let shown = "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
            self.init("calculation_same", operations, weights, exact, shown, boards)
        default: return nil
        }
    }
}

/// A whole number as every app writes it, with a comma before each three digits; nil if `value` is not one.
private func grouped(_ value: Json) -> String? {
    guard let number = value.whole, number >= 0 else { return nil }
    let digits = Array(String(number))
    let parts = digits.enumerated().map { at, digit in
        at > 0 && (digits.count - at) % 3 == 0 ? ",\(digit)" : "\(digit)"
    }
    return parts.joined()
}
