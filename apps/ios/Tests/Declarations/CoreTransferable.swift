// The names of CoreTransferable that the app uses, as SwiftUI.swift beside it has those of SwiftUI.

@_exported import Foundation
import UniformTypeIdentifiers

/// https://developer.apple.com/documentation/coretransferable/transferable (iOS 16)
@preconcurrency public protocol Transferable: Sendable {
    associatedtype Representation: TransferRepresentation
    @TransferRepresentationBuilder<Self> static var transferRepresentation: Representation { get }
}
/// https://developer.apple.com/documentation/coretransferable/transferrepresentation (iOS 16)
public protocol TransferRepresentation<Item>: Sendable {
    associatedtype Item: Transferable
}
/// https://developer.apple.com/documentation/coretransferable/transferrepresentationbuilder (iOS 16)
@resultBuilder public struct TransferRepresentationBuilder<Item: Transferable> {
    public static func buildBlock<One: TransferRepresentation, Two: TransferRepresentation>(
        _ one: One, _ two: Two
    ) -> TupleTransferRepresentation<Item> where One.Item == Item, Two.Item == Item { TupleTransferRepresentation() }
}
/// https://developer.apple.com/documentation/coretransferable/tupletransferrepresentation (iOS 16)
public struct TupleTransferRepresentation<Item: Transferable>: TransferRepresentation {}
/// https://developer.apple.com/documentation/coretransferable/receivedtransferredfile (iOS 16)
public struct ReceivedTransferredFile: Sendable {
    public let file: URL
    public let isOriginalFile: Bool
}
/// https://developer.apple.com/documentation/coretransferable/filerepresentation (iOS 16)
public struct FileRepresentation<Item: Transferable>: TransferRepresentation {
    public init(
        importedContentType: UTType, shouldAttemptToOpenInPlace: Bool = false,
        importing: @escaping @Sendable (ReceivedTransferredFile) async throws -> Item
    ) {}
}
