// Declarations of the names of SwiftUI and UIKit that the app uses, written from their documentation, for tools/app.sh
// alone. That the sources agree with them says nothing about the real frameworks. Nothing here does anything.

@_exported import Foundation
@_exported import Observation
import UniformTypeIdentifiers

// MARK: Views

@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

extension Never: View {
    public var body: Never { return fatalError() }
}

extension Optional: View where Wrapped: View {
    public var body: Never { return fatalError() }
}

/// What stands for every view that is not the app's own.
public struct Shown: View {
    nonisolated init() {}
    public var body: Never { return fatalError() }
}

@resultBuilder public enum ViewBuilder {
    public static func buildExpression<V: View>(_ view: V) -> V { view }
    public static func buildBlock() -> Shown { Shown() }
    public static func buildBlock<each V: View>(_ view: repeat each V) -> Shown { Shown() }
    public static func buildIf<V: View>(_ view: V?) -> V? { view }
    public static func buildEither(first: some View) -> Shown { Shown() }
    public static func buildEither(second: some View) -> Shown { Shown() }
}

@MainActor public protocol Scene {}

@MainActor public protocol App {
    associatedtype Body: Scene
    var body: Body { get }
    init()
}

extension App {
    public static func main() {}
}

public struct WindowGroup: Scene {
    public init(@ViewBuilder content: () -> some View) {}
}

// MARK: State

@propertyWrapper public struct State<Value> {
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    public var wrappedValue: Value { get { fatalError() } nonmutating set {} }
    public var projectedValue: Binding<Value> { fatalError() }
}

@propertyWrapper public struct AppStorage<Value> {
    public init(wrappedValue: Value, _ key: String) where Value == String {}
    public var wrappedValue: Value { get { fatalError() } nonmutating set {} }
    public var projectedValue: Binding<Value> { fatalError() }
}

@dynamicMemberLookup @propertyWrapper public struct Binding<Value> {
    public subscript<Member>(dynamicMember path: WritableKeyPath<Value, Member>) -> Binding<Member> { fatalError() }
    @preconcurrency public init(get: @escaping @isolated(any) @Sendable () -> Value, set: @escaping @isolated(any) @Sendable (Value) -> Void) {}
    public var wrappedValue: Value { get { fatalError() } nonmutating set {} }
    public var projectedValue: Binding<Value> { self }
}

@propertyWrapper @MainActor public struct FocusState<Value: Hashable> {
    public struct Binding {
        public var wrappedValue: Value { get { fatalError() } nonmutating set {} }
    }
    public init() where Value == Bool {}
    public var wrappedValue: Value { get { fatalError() } nonmutating set {} }
    public var projectedValue: Binding { fatalError() }
}

@propertyWrapper public struct GestureState<Value> {
    public init(wrappedValue: Value) {}
    public init() where Value: ExpressibleByNilLiteral {}
    public var wrappedValue: Value { fatalError() }
    public var projectedValue: GestureState<Value> { self }
}

public enum ScenePhase: Sendable { case background, inactive, active }
public enum ColorScheme: Sendable { case light, dark }
public enum UserInterfaceSizeClass: Sendable { case compact, regular }

public struct EnvironmentValues {
    public var scenePhase: ScenePhase { .active }
    public var colorScheme: ColorScheme { .light }
    public var displayScale: CGFloat { 2 }
    public var locale: Locale { get { .current } set {} }
    public var accessibilityReduceMotion: Bool { false }
    public var horizontalSizeClass: UserInterfaceSizeClass? { nil }
    public var verticalSizeClass: UserInterfaceSizeClass? { nil }
}

@propertyWrapper public struct Environment<Value> {
    public init(_ path: KeyPath<EnvironmentValues, Value>) {}
    public var wrappedValue: Value { fatalError() }
}

// MARK: Gestures and keys

@MainActor @preconcurrency public protocol Gesture<Value> {
    associatedtype Value
}
public struct GestureStateGesture<Base: Gesture, State>: Gesture {
    public typealias Value = Base.Value
}
public struct _ChangedGesture<Base: Gesture>: Gesture {
    public typealias Value = Base.Value
}
public struct _EndedGesture<Base: Gesture>: Gesture {
    public typealias Value = Base.Value
}
public struct Transaction {}
extension Gesture {
    public func updating<State>(
        _ state: GestureState<State>, body: @escaping (Value, inout State, inout Transaction) -> Void
    ) -> GestureStateGesture<Self, State> { fatalError() }
    public func onEnded(_ action: @escaping (Value) -> Void) -> _EndedGesture<Self> { fatalError() }
}
extension Gesture where Value: Equatable {
    public func onChanged(_ action: @escaping (Value) -> Void) -> _ChangedGesture<Self> { fatalError() }
}
public struct DragGesture: Gesture {
    public struct Value: Equatable, Sendable {
        public var location: CGPoint
    }
    public init(minimumDistance: CGFloat = 10, coordinateSpace: some CoordinateSpaceProtocol = .local) {}
}
public protocol CoordinateSpaceProtocol {}
public struct LocalCoordinateSpace: CoordinateSpaceProtocol, Sendable {}
public struct GlobalCoordinateSpace: CoordinateSpaceProtocol, Sendable {}
extension CoordinateSpaceProtocol where Self == GlobalCoordinateSpace {
    public static var global: GlobalCoordinateSpace { GlobalCoordinateSpace() }
}
extension CoordinateSpaceProtocol where Self == LocalCoordinateSpace {
    public static var local: LocalCoordinateSpace { LocalCoordinateSpace() }
}
public enum HoverPhase: Equatable, Sendable { case active(CGPoint), ended }
public struct KeyEquivalent: Hashable, Sendable {
    public var character: Character
}
public struct EventModifiers: OptionSet, Sendable {
    public static let shift = EventModifiers(rawValue: 2), control = EventModifiers(rawValue: 4)
    public static let option = EventModifiers(rawValue: 8), command = EventModifiers(rawValue: 16)
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
}
public struct KeyPress: Sendable {
    public enum Result: Sendable { case handled, ignored }
    public struct Phases: OptionSet, Sendable {
        public static let down = Phases(rawValue: 1), `repeat` = Phases(rawValue: 2), up = Phases(rawValue: 4)
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
    }
    public let phase: Phases
    public let key: KeyEquivalent
    public let characters: String
    public let modifiers: EventModifiers
}

// MARK: Containers and controls

public enum HorizontalAlignment: Sendable { case leading, center }
public enum VerticalAlignment: Sendable { case top, center }

public struct VStack: View {
    public init(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> some View) {}
    public var body: Never { return fatalError() }
}
public struct HStack: View {
    public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> some View) {}
    public var body: Never { return fatalError() }
}
public struct ZStack: View {
    public init(@ViewBuilder content: () -> some View) {}
    public var body: Never { return fatalError() }
}
public struct Group: View {
    public init(@ViewBuilder content: () -> some View) {}
    public var body: Never { return fatalError() }
}
public struct ScrollView: View {
    public init(@ViewBuilder content: () -> some View) {}
    public var body: Never { return fatalError() }
}
public struct Grid: View {
    public init(@ViewBuilder content: () -> some View) {}
    public var body: Never { return fatalError() }
}
public struct GridRow: View {
    public init(@ViewBuilder content: () -> some View) {}
    public var body: Never { return fatalError() }
}
public struct ViewThatFits: View {
    public init(@ViewBuilder content: () -> some View) {}
    public var body: Never { return fatalError() }
}
public struct NavigationStack: View {
    public init(@ViewBuilder root: () -> some View) {}
    public var body: Never { return fatalError() }
}
public struct List: View {
    public init(@ViewBuilder content: () -> some View) {}
    public init<Data: RandomAccessCollection>(_ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> some View)
    where Data.Element: Identifiable {}
    public var body: Never { return fatalError() }
}
public struct Section: View {
    public init(_ title: some StringProtocol, @ViewBuilder content: () -> some View) {}
    public var body: Never { return fatalError() }
}
public struct ForEach: View {
    public init<Data: RandomAccessCollection>(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> some View)
    where Data.Element: Identifiable {}
    public init<Data: RandomAccessCollection, ID: Hashable>(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> some View) {}
    public var body: Never { return fatalError() }
}
public struct GeometryProxy {
    public var size: CGSize { .zero }
    public func frame(in: some CoordinateSpaceProtocol) -> CGRect { .zero }
}
public struct GeometryReader: View {
    public init(@ViewBuilder content: @escaping (GeometryProxy) -> some View) {}
    public var body: Never { return fatalError() }
}
public struct Text: View {
    public init(_ text: some StringProtocol) {}
    public init(verbatim: String) {}
    public var body: Never { return fatalError() }
    public func font(_: Font?) -> Text { self }
    public func foregroundStyle(_: some ShapeStyle) -> Text { self }
    public func bold() -> Text { self }
    public func monospacedDigit() -> Text { self }
}
public struct Image: View {
    public init(systemName: String) {}
    public var body: Never { return fatalError() }
}
public struct Spacer: View {
    public init() {}
    public var body: Never { return fatalError() }
}
public struct Divider: View {
    public init() {}
    public var body: Never { return fatalError() }
}
public struct ButtonRole: Equatable, Sendable {
    public static let destructive = ButtonRole(), cancel = ButtonRole()
}
public enum Visibility: Sendable { case automatic, visible, hidden }
extension View {
    public func confirmationDialog(
        _ title: some StringProtocol, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: () -> some View
    ) -> some View { self }
    public func confirmationDialog(
        _ title: some StringProtocol, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: () -> some View, @ViewBuilder message: () -> some View
    ) -> some View { self }
    public func fileImporter(
        isPresented: Binding<Bool>, allowedContentTypes: [UTType], onCompletion: @escaping (Result<URL, any Error>) -> Void
    ) -> some View { self }
    public func confirmationDialog<T>(
        _ title: some StringProtocol, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
        presenting data: T?, @ViewBuilder actions: (T) -> some View, @ViewBuilder message: (T) -> some View
    ) -> some View { self }
}
public struct Button: View {
    public init(_ title: some StringProtocol, action: @escaping @MainActor () -> Void) {}
    public init(_ title: some StringProtocol, role: ButtonRole?, action: @escaping @MainActor () -> Void) {}
    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> some View) {}
    public var body: Never { return fatalError() }
}
public struct Toggle: View {
    public init(_ title: some StringProtocol, isOn: Binding<Bool>) {}
    public var body: Never { return fatalError() }
}
public struct Picker: View {
    public init(_ title: some StringProtocol, selection: Binding<some Hashable>, @ViewBuilder content: () -> some View) {}
    public var body: Never { return fatalError() }
}
public struct Slider: View {
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride, @ViewBuilder label: () -> some View
    ) where V.Stride: BinaryFloatingPoint {}
    public var body: Never { return fatalError() }
}
public struct NavigationLink: View {
    public init(_ title: some StringProtocol, @ViewBuilder destination: () -> some View) {}
    public var body: Never { return fatalError() }
}
public struct LabeledContent: View {
    public init(_ title: some StringProtocol, value: some StringProtocol) {}
    public var body: Never { return fatalError() }
}
public struct ProgressView: View {
    public init<V: BinaryFloatingPoint>(value: V?, total: V = 1) {}
    public init(_ title: some StringProtocol) {}
    public var body: Never { return fatalError() }
}
public struct ShareLink: View {
    public init(_ title: some StringProtocol, item: String) {}
    public var body: Never { return fatalError() }
}
public struct TextField: View {
    public init(_ title: some StringProtocol, text: Binding<String>) {}
    public var body: Never { return fatalError() }
}
public struct TextEditor: View {
    public init(text: Binding<String>) {}
    public var body: Never { return fatalError() }
}
public struct ContentUnavailableView: View {
    public init(_ title: some StringProtocol, systemImage: String, description: Text? = nil) {}
    public var body: Never { return fatalError() }
}

// MARK: Modifiers

public struct Font: Sendable {
    public enum Weight: Sendable { case bold }
    public static let headline = Font(), subheadline = Font(), footnote = Font(), caption = Font()
    public static func system(size: CGFloat, weight: Weight? = nil) -> Font { Font() }
}
public enum ContentMode: Sendable { case fit, fill }
public enum TitleDisplayMode: Sendable { case automatic, inline, large }
public enum ButtonKind: Sendable { case bordered, borderedProminent }
public enum PickerKind: Sendable { case segmented, menu }
public struct SensoryFeedback: Sendable {
    public static let impact = SensoryFeedback()
    public static let error = SensoryFeedback()
}
public struct AccessibilityTraits: SetAlgebra, Sendable {
    public static let isButton = AccessibilityTraits()
    public init() {}
    public func contains(_: AccessibilityTraits) -> Bool { false }
    public func union(_: AccessibilityTraits) -> AccessibilityTraits { self }
    public func intersection(_: AccessibilityTraits) -> AccessibilityTraits { self }
    public func symmetricDifference(_: AccessibilityTraits) -> AccessibilityTraits { self }
    public mutating func insert(_ new: AccessibilityTraits) -> (inserted: Bool, memberAfterInsert: AccessibilityTraits) {
        (true, new)
    }
    public mutating func remove(_: AccessibilityTraits) -> AccessibilityTraits? { nil }
    public mutating func update(with: AccessibilityTraits) -> AccessibilityTraits? { nil }
    public mutating func formUnion(_: AccessibilityTraits) {}
    public mutating func formIntersection(_: AccessibilityTraits) {}
    public mutating func formSymmetricDifference(_: AccessibilityTraits) {}
}
public struct AccessibilityChildBehavior: Hashable, Sendable {
    public static let ignore = AccessibilityChildBehavior(), contain = AccessibilityChildBehavior()
    public static let combine = AccessibilityChildBehavior()
}
public enum AccessibilityNotification {
    public struct Announcement {
        public init(_ text: some StringProtocol) {}
        public func post() {}
    }
}
public enum Edge: Sendable {
    public enum Set: Sendable { case all, horizontal, vertical }
}

extension View {
    public func font(_: Font?) -> some View { Shown() }
    public func foregroundStyle(_: some ShapeStyle) -> some View { Shown() }
    public func padding(_: Edge.Set = .all, _: CGFloat? = nil) -> some View { Shown() }
    public func frame(width: CGFloat? = nil, height: CGFloat? = nil) -> some View { Shown() }
    public func frame(minWidth: CGFloat? = nil, maxWidth: CGFloat? = nil, minHeight: CGFloat? = nil) -> some View { Shown() }
    public func overlay(@ViewBuilder content: () -> some View) -> some View { Shown() }
    public func background(_: some ShapeStyle) -> some View { Shown() }
    public func clipShape(_: some Shape) -> some View { Shown() }
    public func allowsHitTesting(_: Bool) -> some View { Shown() }
    public func border(_: some ShapeStyle, width: CGFloat = 1) -> some View { Shown() }
    public func position(x: CGFloat, y: CGFloat) -> some View { Shown() }
    public func aspectRatio(_: CGFloat?, contentMode: ContentMode) -> some View { Shown() }
    public func contentShape(_: Rectangle) -> some View { Shown() }
    public func disabled(_: Bool) -> some View { Shown() }
    public func tag(_: some Hashable) -> some View { Shown() }
    public func buttonStyle(_: ButtonKind) -> some View { Shown() }
    public func pickerStyle(_: PickerKind) -> some View { Shown() }
    public func navigationTitle(_: some StringProtocol) -> some View { Shown() }
    public func navigationBarTitleDisplayMode(_: TitleDisplayMode) -> some View { Shown() }
    public func toolbar(@ViewBuilder content: () -> some View) -> some View { Shown() }
    public func task(_: @escaping @MainActor @Sendable () async -> Void) -> some View { Shown() }
    public func onAppear(perform: (@MainActor () -> Void)? = nil) -> some View { Shown() }
    public func onDisappear(perform: (@MainActor () -> Void)? = nil) -> some View { Shown() }
    public func onChange<V: Equatable>(
        of: V, initial: Bool = false, _: @escaping @MainActor (V, V) -> Void
    ) -> some View { Shown() }
    public func onChange(of: some Equatable, initial: Bool = false, _: @escaping () -> Void) -> some View { Shown() }
    public func gesture(_: some Gesture) -> some View { Shown() }
    public func onContinuousHover(
        coordinateSpace: some CoordinateSpaceProtocol = .local, perform: @escaping (HoverPhase) -> Void
    ) -> some View { Shown() }
    public func focusable(_: Bool = true) -> some View { Shown() }
    public func focused(_: FocusState<Bool>.Binding) -> some View { Shown() }
    public func defaultFocus<V: Hashable>(_: FocusState<V>.Binding, _: V) -> some View { Shown() }
    public func focusEffectDisabled(_: Bool = true) -> some View { Shown() }
    public func onKeyPress(
        phases: KeyPress.Phases = [.down, .repeat], action: @escaping (KeyPress) -> KeyPress.Result
    ) -> some View { Shown() }
    public func preferredColorScheme(_: ColorScheme?) -> some View { Shown() }
    public func environment<Value>(_: WritableKeyPath<EnvironmentValues, Value>, _: Value) -> some View { Shown() }
    public func layoutPriority(_: Double) -> some View { Shown() }
    public func sensoryFeedback(_: SensoryFeedback, trigger: some Equatable) -> some View { Shown() }
    public func sensoryFeedback<T: Equatable>(
        _: SensoryFeedback, trigger: T, condition: @escaping (T, T) -> Bool
    ) -> some View { Shown() }
    public func accessibilityLabel(_: some StringProtocol) -> some View { Shown() }
    public func accessibilityValue(_: some StringProtocol) -> some View { Shown() }
    public func accessibilityHidden(_: Bool) -> some View { Shown() }
    public func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View { Shown() }
    public func accessibilityAddTraits(_: AccessibilityTraits) -> some View { Shown() }
    public func accessibilityAction(_: @escaping @MainActor () -> Void) -> some View { Shown() }
    public func accessibilityChildren(@ViewBuilder children: () -> some View) -> some View { Shown() }
}

// MARK: Drawing

public protocol ShapeStyle {}
extension ShapeStyle where Self == Color {
    public static var secondary: Color { Color() }
    public static var red: Color { Color() }
}
/// The protocol of SwiftUI whose name a board's shapes have, too.
public protocol Shape {}
public struct Circle: Shape, View {
    public init() {}
    public var body: Never { return fatalError() }
    public func stroke(_: some ShapeStyle, lineWidth: CGFloat = 1) -> some View { Shown() }
}
public struct BackgroundStyle: ShapeStyle {}
extension ShapeStyle where Self == BackgroundStyle {
    public static var background: BackgroundStyle { BackgroundStyle() }
}
public struct Color: ShapeStyle, Sendable {
    public enum RGBColorSpace: Sendable { case sRGB }
    public init() {}
    public init(_: RGBColorSpace = .sRGB, red: Double, green: Double, blue: Double, opacity: Double = 1) {}
    public static let red = Color(), yellow = Color(), blue = Color(), orange = Color(), black = Color(), white = Color()
    public static let gray = Color(), primary = Color(), secondary = Color(), accentColor = Color()
    public func opacity(_: Double) -> Color { self }
}
public struct Rectangle: View {
    public init() {}
    public var body: Never { return fatalError() }
}
public struct Path {
    public init() {}
    public init(_: CGRect) {}
    public init(ellipseIn: CGRect) {}
    public init(roundedRect: CGRect, cornerRadius: CGFloat) {}
    public mutating func addEllipse(in: CGRect) {}
    public mutating func move(to: CGPoint) {}
    public mutating func addLine(to: CGPoint) {}
    public mutating func addLines(_: [CGPoint]) {}
}
public struct StrokeStyle: Sendable {
    public init(
        lineWidth: CGFloat = 1, lineCap: CGLineCap = .butt, lineJoin: CGLineJoin = .miter, miterLimit: CGFloat = 10,
        dash: [CGFloat] = []
    ) {}
}
public enum CGLineCap: Sendable { case butt, round, square }
public enum CGLineJoin: Sendable { case miter, round, bevel }
public struct FillStyle: Sendable {
    public init(eoFill: Bool = false, antialiased: Bool = true) {}
}
public struct Gradient: Sendable {
    public struct Stop: Sendable {
        public init(color: Color, location: CGFloat) {}
    }
    public init(stops: [Stop]) {}
}
public struct UnitPoint: Sendable {
    public static let center = UnitPoint()
}
public struct GraphicsContext {
    public struct Shading: Sendable {
        public static func color(_: Color) -> Shading { Shading() }
        public static func linearGradient(_: Gradient, startPoint: CGPoint, endPoint: CGPoint) -> Shading { Shading() }
        public static func radialGradient(
            _: Gradient, center: CGPoint, startRadius: CGFloat, endRadius: CGFloat
        ) -> Shading { Shading() }
    }
    public func fill(_: Path, with: Shading, style: FillStyle = FillStyle()) {}
    public func draw(_: Text, at: CGPoint, anchor: UnitPoint = .center) {}
    public func stroke(_: Path, with: Shading, lineWidth: CGFloat = 1) {}
    public func stroke(_: Path, with: Shading, style: StrokeStyle) {}
}
public protocol TimelineSchedule {}
public struct AnimationTimelineSchedule: TimelineSchedule, Sendable {}
extension TimelineSchedule where Self == AnimationTimelineSchedule {
    public static func animation(minimumInterval: Double? = nil, paused: Bool = false) -> AnimationTimelineSchedule {
        AnimationTimelineSchedule()
    }
}
public struct TimelineView<Schedule: TimelineSchedule>: View {
    public struct Context {
        public let date: Date
    }
    public init(_: Schedule, @ViewBuilder content: @escaping (Context) -> some View) {}
    public var body: Never { return fatalError() }
}
public struct Canvas: View {
    public init(renderer: @escaping (inout GraphicsContext, CGSize) -> Void) {}
    public var body: Never { return fatalError() }
}

// MARK: UIKit

@MainActor public final class UIApplication {
    public static let shared = UIApplication()
    public var isIdleTimerDisabled = false
}
@MainActor public final class UIDevice {
    public static let current = UIDevice()
    public var model: String { "" }
    public var systemName: String { "" }
    public var systemVersion: String { "" }
}

// MARK: Foundation, where it has what Linux's lacks

extension URL {
    public static var applicationSupportDirectory: URL { URL(fileURLWithPath: "/") }
    public func startAccessingSecurityScopedResource() -> Bool { false }
    public func stopAccessingSecurityScopedResource() {}
}

extension ProcessInfo {
    public enum ThermalState: Int, Sendable { case nominal, fair, serious, critical }
    public var thermalState: ThermalState { .nominal }
    public class var thermalStateDidChangeNotification: NSNotification.Name { NSNotification.Name("") }
}
extension NotificationCenter {
    public final class Notifications: AsyncSequence, Sendable {
        public struct Iterator: AsyncIteratorProtocol {
            public mutating func next() async -> Notification? { nil }
        }
        public func makeAsyncIterator() -> Iterator { Iterator() }
    }
    public func notifications(named: Notification.Name, object: (any AnyObject & Sendable)? = nil) -> Notifications {
        Notifications()
    }
}
