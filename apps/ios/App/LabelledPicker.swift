import SwiftUI

/// A picker with its title beside it. Outside of a form a picker in the menu style shows the value alone.
/// https://developer.apple.com/documentation/swiftui/pickerstyle/menu
struct LabelledPicker<Choice: Hashable, Content: View>: View {
    let title: String
    @Binding var selection: Choice
    @ViewBuilder let choices: Content

    var body: some View {
        LabeledContent(title) {
            Picker(title, selection: $selection) { choices }
                .pickerStyle(.menu)
                .labelsHidden()
        }
    }
}
