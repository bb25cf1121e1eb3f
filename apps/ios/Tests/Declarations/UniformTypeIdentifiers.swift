// The names of UniformTypeIdentifiers that the app uses, as SwiftUI.swift beside it has those of SwiftUI.

/// https://developer.apple.com/documentation/uniformtypeidentifiers/uttype-swift.struct (iOS 14)
public struct UTType: Hashable, Sendable {
    public static let folder = UTType(), zip = UTType(), data = UTType()
}
