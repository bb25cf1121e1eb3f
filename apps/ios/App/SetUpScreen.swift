import AzxBundle
import AzxDrawing
import AzxPlay
import AzxScreens
import SwiftUI

/// A position is set up; two people or a network play on from there.
struct SetUpScreen: View {
    let store: Store
    let given: GivenBundles
    let go: (Place) -> Void
    @SwiftUI.State private var setting: SettingUp?

    init(_ position: Position, store: Store, given: GivenBundles, go: @escaping (Place) -> Void) {
        (self.store, self.given, self.go) = (store, given, go)
        _setting = SwiftUI.State(
            wrappedValue: try? SettingUp(position, keeping: UserDefaults.standard, in: library))
    }

    var body: some View {
        content
            .navigationTitle(say("set_up"))
            .navigationBarTitleDisplayMode(.inline)
    }

    @ViewBuilder private var content: some View {
        if let setting, let board = setting.board {
            ScrollView {
                VStack(spacing: TableLayout.gap) {
                    SharedBoard(board: board, lift: setting.lift, choose: setting.choose)
                    ForEach(setting.asides, id: \.self) { Text(say($0)) }
                    tools(setting)
                    ways(setting)
                }
                .padding()
            }
        }
    }

    private func piece(_ setting: SettingUp, _ player: Int) -> String {
        say(.opening(.phrase(setting.presentation.pieces[player])))
    }

    @ViewBuilder private func tools(_ setting: SettingUp) -> some View {
        @Bindable var setting = setting
        LabelledPicker(title: say("setup_piece"), selection: $setting.tool) {
            ForEach([0, 1], id: \.self) { Text(piece(setting, $0)).tag(SettingUp.Tool.put($0)) }
            Text(say(.opening(.words("setup_take")))).tag(SettingUp.Tool.take)
        }
        if !setting.setUp.isByMoves {
            LabelledPicker(title: say("setup_mover"), selection: mover(setting)) {
                ForEach([0, 1], id: \.self) { Text(piece(setting, $0)).tag($0) }
            }
        }
        Button(say("setup_clear"), action: setting.clear)
    }

    private func mover(_ setting: SettingUp) -> Binding<Int> {
        Binding { @MainActor in setting.setUp.toMove } set: { @MainActor in setting.letMove($0) }
    }

    @ViewBuilder private func ways(_ setting: SettingUp) -> some View {
        ButtonRow(isLine: false) {
            Button(say(.opening(.words("setup_network")))) {
                Task { if let place = await setting.playAgainst(store, given) { go(place) } }
            }
            .disabled(!setting.isPossible)
            Button(say("people_here")) { if let position = setting.position { go(.people(position)) } }
                .buttonStyle(.borderedProminent)
                .disabled(!setting.isPossible)
        }
        if let link = setting.link { ShareLink(say("set_up_link"), item: link) }
        if let record = setting.record { ShareLink(say("set_up_record"), item: record) }
    }
}
