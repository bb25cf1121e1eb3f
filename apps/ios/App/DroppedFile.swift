import AzxScreens
import CoreTransferable
import UniformTypeIdentifiers

/// A file or a folder that is dropped on the app, copied while it is there.
/// https://developer.apple.com/documentation/coretransferable/filerepresentation
struct DroppedFile: Transferable {
    let copy: Copied

    static var transferRepresentation: some TransferRepresentation {
        FileRepresentation(importedContentType: .folder) { DroppedFile(copy: try Copied($0.file)) }
        FileRepresentation(importedContentType: .data) { DroppedFile(copy: try Copied($0.file)) }
    }
}
