// Wrong uses of twelve of Apple's names, each of which the declarations have to refuse as the frameworks do: tools/app.sh
// holds the compiler to an error with these words on each marked line, and to no other error.

import AVFoundation
import AzxDrawing
import CoreML
import SwiftUI

struct Loose {}
struct NoView {}

@MainActor func wrong(loose: Binding<Loose>, whole: Binding<Int>, text: SwiftUI.Text, shapes: [Loose]) {
    _ = Picker("strength", selection: loose) { text }  // refused: conform to 'Hashable'
    _ = ForEach(shapes) { _ in text }  // refused: conform to 'Identifiable'
    _ = text.navigationDestination(for: Loose.self) { _ in text }  // refused: conform to 'Hashable'
    _ = text.pickerStyle(.bordered)  // refused: has no member 'bordered'
    _ = Button("new game") {}.buttonStyle(.segmented)  // refused: has no member 'segmented'
    _ = Slider(value: whole, in: 0...9) { text }  // refused: conform to 'BinaryFloatingPoint'
    _ = text.clipShape(Color.red)  // refused: conform to 'Shape'
    _ = text.onChange(of: Loose()) { _, _ in }  // refused: conform to 'Equatable'
    _ = text.tag(Loose())  // refused: conform to 'Hashable'
}

func ambiguous(_ point: Point) {}  // refused: ambiguous

nonisolated func elsewhere() {
    UIApplication.shared.isIdleTimerDisabled = true  // refused: main actor-isolated
}

func atOnce(_ url: URL) throws -> MLModel {
    try MLModel.load(contentsOf: url)  // refused: 'async' call in a function that does not support concurrency
}
