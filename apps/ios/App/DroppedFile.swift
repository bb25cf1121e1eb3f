import AzxScreens
import CoreTransferable
import Foundation
import UniformTypeIdentifiers

/// A file or a folder that is dropped on the app, copied while it is there.
/// https://developer.apple.com/documentation/coretransferable/filerepresentation
struct DroppedFile: Transferable {
    let copy: FileCopy

    static var transferRepresentation: some TransferRepresentation {
        FileRepresentation(importedContentType: .folder) { DroppedFile(copy: try FileCopy($0.file)) }
        FileRepresentation(importedContentType: .data) { DroppedFile(copy: try FileCopy($0.file)) }
    }
}

/// Read a file outside of this app, which a person chose or another app handed over: it is readable between these two calls.
@MainActor func readOutside(_ url: URL, _ read: (URL) async -> Void) async {
    let isOpen = url.startAccessingSecurityScopedResource()
    await read(url)
    if isOpen { url.stopAccessingSecurityScopedResource() }
}

/// Read what was chosen in the system's sheet, or say why nothing was.
@MainActor func readChosen(
    _ chosen: Result<URL, any Error>, _ read: @escaping @MainActor (URL) async -> Void,
    orRefuse refuse: (any Error) -> Void
) {
    switch chosen {
    case .failure(let error): refuse(error)
    case .success(let url): Task { await readOutside(url, read) }
    }
}
