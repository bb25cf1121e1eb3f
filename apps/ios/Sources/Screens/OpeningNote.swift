import AzxPlay

/// A note that a bundle is being opened: where it is there at the next start, the app was ended meanwhile.
@MainActor
public struct OpeningNote {
    private static let name = "opening"
    private let kept: any Keeping

    public init(_ kept: any Keeping) { self.kept = kept }

    public var isLeft: Bool { kept.text(Self.name) != nil }

    func leave() { kept.keep("", Self.name) }

    /// It has come to an end, or a person was told that it has not.
    public func remove() { kept.forget(Self.name) }
}
