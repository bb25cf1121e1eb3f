import AzxPlay
import AzxScreens
import SwiftUI

/// What is asked before a new game: how strong the network is, first of all, and who begins.
struct TermsView: View {
    let room: Room
    let seat: Seat

    var body: some View {
        Form {
            Text(say("new_game")).font(.headline)
            LabelledPicker(title: say("strength"), selection: term(\.strength)) {
                ForEach(room.strengths, id: \.self) { Text(say($0.phrase)) }
            }
            LabelledPicker(title: say("who_begins"), selection: term(\.begins)) {
                ForEach(Begins.allCases, id: \.self) { Text(say($0.phrase)) }
            }
            Button(say("new_game"), action: seat.begin)
            Button(say("cancel"), role: .cancel) { seat.terms = nil }
        }
    }

    private func term<Chosen>(_ path: WritableKeyPath<Choices, Chosen>) -> Binding<Chosen> {
        Binding { @MainActor in
            (seat.terms ?? seat.table.choices)[keyPath: path]
        } set: { @MainActor in
            seat.terms?[keyPath: path] = $0
        }
    }
}
