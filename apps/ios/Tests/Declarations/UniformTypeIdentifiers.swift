// The names of UniformTypeIdentifiers that the app uses, as SwiftUI.swift beside it has those of SwiftUI.

public struct UTType: Hashable, Sendable {
    public static let folder = UTType(), zip = UTType(), data = UTType()
}
