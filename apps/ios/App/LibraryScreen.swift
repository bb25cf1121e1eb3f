import AzxBundle
import AzxPlay
import AzxScreens
import SwiftUI
import UniformTypeIdentifiers

/// All games that were played, watched or opened here. A person finds, continues or deletes them, and can undo a deletion.
struct LibraryScreen: View {
    let store: Store
    let given: GivenBundles
    /// Leads to another screen.
    let go: (Place) -> Void
    @SwiftUI.State private var shelf = GamesShelf(library)
    @SwiftUI.State private var exported: GamesZip?
    @SwiftUI.State private var isExporting = false
    @SwiftUI.State private var isImporting = false

    private var telling: Telling { Telling(spoken.locale) { say($0) } }

    var body: some View {
        list
            .navigationTitle(say("library"))
            .navigationBarTitleDisplayMode(.inline)
            .searchable(text: $shelf.sought, prompt: say("library_search"))
            .toolbar { menu }
            .fileExporter(
                isPresented: $isExporting, document: exported, contentType: .zip, defaultFilename: exported?.name
            ) { if case .failure(let error) = $0 { shelf.refuse(error) } }
            .safeAreaInset(edge: .bottom) { undo }
            .task { await shelf.open() }
            .onChange(of: shelf.farewell(telling) ?? "") { _, now in AccessibilityNotification.Announcement(now).post() }
    }

    @ViewBuilder private var list: some View {
        if !shelf.isRead {
            ProgressView(say("opening"))
        } else {
            let found = shelf.found(telling)
            List {
                ForEach(shelf.notices, id: \.self) { Text(say($0)) }
                if found.isEmpty { Text(say(shelf.isEmpty ? "library_empty" : "library_none")) }
                ForEach(found) { row($0) }
            }
        }
    }

    private func row(_ record: GameRecord) -> some View {
        let row = GamesShelf.Row(record, telling)
        return Button {
            Task { if let place = await shelf.place(of: record.id, store, given) { go(place) } }
        } label: {
            HStack {
                GamePicture(id: record.revision) { await lastBoard(record) }
                VStack(alignment: .leading) {
                    // Else a button's colour.
                    SwiftUI.Text(row.players).font(.headline).foregroundStyle(Color.primary)
                    SwiftUI.Text(row.result).font(.subheadline).foregroundStyle(Color.primary)
                    SwiftUI.Text(row.about).font(.caption).foregroundStyle(.secondary)
                }
            }
        }
        .accessibilityLabel(row.said)
        .swipeActions { Button(say("library_delete"), role: .destructive) { shelf.delete(record.id) } }
    }

    /// One symbol in the bar, as on the list of networks.
    private var menu: some View {
        Menu {
            Picker(say("games"), selection: $shelf.game) {
                Text(say("library_all")).tag(String?.none)
                ForEach(shelf.games, id: \.name) { Text(say($0.title)).tag(Optional($0.name)) }
            }
            Picker(say("library_results"), selection: $shelf.standing) {
                Text(say("library_all")).tag(Standing?.none)
                ForEach(shelf.standings, id: \.self) { Text(say($0.phrase)).tag(Optional($0)) }
            }
            Button(say("library_export")) { Task { await export() } }.disabled(shelf.isEmpty)
            Button(say("library_import")) { isImporting = true }
        } label: {
            Label(say("more"), systemImage: "ellipsis.circle")
        }
        // Not on the view that exports: of two exporters on one view, others report, the last alone is shown.
        .fileImporter(isPresented: $isImporting, allowedContentTypes: [.zip]) {
            readChosen($0, shelf.take, orRefuse: shelf.refuse)
        }
    }

    private func export() async {
        let (name, zip) = await shelf.export()
        exported = GamesZip(name: name, data: zip)
        isExporting = true
    }

    @ViewBuilder private var undo: some View {
        if let farewell = shelf.farewell(telling) {
            HStack {
                Text(farewell)
                Spacer()
                Button(say("undo"), action: shelf.undo).buttonStyle(.borderedProminent)
            }
            .padding()
            .background(.background)
        }
    }
}

/// All games as a file that a person chooses a place for.
private struct GamesZip: FileDocument {
    static let readableContentTypes: [UTType] = [.zip]
    var name = ""
    let data: Data

    init(name: String, data: Data) { (self.name, self.data) = (name, data) }

    init(configuration: ReadConfiguration) throws { data = configuration.file.regularFileContents ?? Data() }

    func fileWrapper(configuration: WriteConfiguration) throws -> FileWrapper { FileWrapper(regularFileWithContents: data) }
}
