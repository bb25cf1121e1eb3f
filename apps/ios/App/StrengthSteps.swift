import AzxPlay
import AzxScreens
import SwiftUI

/// The eight levels, each a step that is as wide as the others, and what the chosen strength is called.
struct StrengthSteps: View {
    let steps: [LevelStep]
    let chosen: Strength
    let choose: (Strength) -> Void

    var body: some View {
        HStack(spacing: 4) {
            ForEach(steps) { button($0) }
        }
        Text(say(chosen.phrase)).font(.subheadline)
    }

    private func button(_ step: LevelStep) -> some View {
        Button {
            choose(step.strength)
        } label: {
            Text(say(.whole(step.id)))
                .frame(maxWidth: .infinity, minHeight: 44)
                // All of the step can be touched, and not its number alone.
                .contentShape(Rectangle())
                .border(step.isChosen ? Color.accentColor : Color.secondary.opacity(0.3), width: step.isChosen ? 2 : 1)
        }
        // In a form a row is one button unless its buttons say that they are such.
        .buttonStyle(.borderless)
        .accessibilityLabel(say(step.strength.phrase))
        .accessibilityAddTraits(step.isChosen ? .isSelected : [])
    }
}

/// A strength as a row of a form, with a mark where it is the chosen one.
struct StrengthRow: View {
    let strength: Strength
    let isChosen: Bool
    let choose: (Strength) -> Void

    var body: some View {
        Button {
            choose(strength)
        } label: {
            HStack {
                Text(say(strength.phrase))
                Spacer()
                if isChosen { Image(systemName: "checkmark").accessibilityHidden(true) }
            }
        }
        .accessibilityAddTraits(isChosen ? .isSelected : [])
    }
}
