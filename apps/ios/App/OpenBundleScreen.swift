import AzxScreens
import SwiftUI
import UniformTypeIdentifiers

/// Opens a bundle from a folder or a .zip, and removes those that were opened before.
struct OpenBundleScreen: View {
    let opener: BundleOpener
    @SwiftUI.State private var isChoosing = false

    var body: some View {
        List {
            Text(say("open_on_device"))
            Button(say("choose_bundle")) { isChoosing = true }.disabled(opener.isChecking)
            if opener.isChecking { ProgressView(say("checking_bundle")) }
            if let opened = opener.opened { Text(say("bundle_opened", title(of: opened))) }
            if let complaint = opener.complaint { Text(say(complaint)) }
            if !opener.own.isEmpty {
                Section(say("own_on_device")) {
                    ForEach(opener.own) { row($0) }
                }
            }
        }
        .navigationTitle(say("open_bundle"))
        .navigationBarTitleDisplayMode(.inline)
        .task { await opener.look() }
        // Any other file can be chosen too: what it seems to be, and what to run, is said then.
        .fileImporter(isPresented: $isChoosing, allowedContentTypes: [.folder, .zip, .data]) {
            readChosen($0, opener.open, orRefuse: opener.refuse)
        }
        .confirmationDialog(
            opener.asked.map { say("remove_ask", title(of: $0.entry)) } ?? "", isPresented: isAsked,
            titleVisibility: .visible
        ) {
            Button(say("remove_bundle"), role: .destructive) { Task { await opener.remove() } }
        }
        .onChange(of: said) { _, now in AccessibilityNotification.Announcement(now).post() }
    }

    private func row(_ own: BundleOpener.Own) -> some View {
        let name = title(of: own.entry)
        return HStack {
            Text(say("own_kept", name, own.size))
            Spacer()
            Button(say("remove_bundle"), role: .destructive) { opener.asked = own }
                .buttonStyle(.bordered)
                .accessibilityLabel(say("remove_label", name))
        }
    }

    /// What has come of the last choice, which a screen reader tells.
    private var said: String {
        opener.complaint.map { say($0) } ?? opener.opened.map { say("bundle_opened", title(of: $0)) } ?? ""
    }

    private var isAsked: Binding<Bool> {
        Binding { @MainActor in opener.asked != nil } set: { @MainActor in if !$0 { opener.asked = nil } }
    }
}
