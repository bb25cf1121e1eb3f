// Declarations of the names of SwiftUI and UIKit that the app uses, written from their documentation, for tools/app.sh
// alone. That the sources agree with them says nothing about the real frameworks. Nothing here does anything.
//
// Each has the address of its page, as Apple's site makes addresses of names (an overload's ends with letters of its own
// there), and the first iOS that has it: Linux does not look at availability, so tests/test_ios_project.py holds them to
// the project's. Where somebody looks one up, generic constraints and isolation are to be those of the page.

@_exported import Foundation
@_exported import Observation
import CoreTransferable
import UniformTypeIdentifiers

// MARK: Views

/// https://developer.apple.com/documentation/swiftui/view (iOS 13)
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

/// https://developer.apple.com/documentation/swiftui/viewbuilder (iOS 13)
@resultBuilder public enum ViewBuilder {
    public static func buildExpression<V: View>(_ view: V) -> V { view }
    public static func buildBlock() -> Shown { Shown() }
    public static func buildBlock<each V: View>(_ view: repeat each V) -> Shown { Shown() }
    public static func buildIf<V: View>(_ view: V?) -> V? { view }
    public static func buildEither(first: some View) -> Shown { Shown() }
    public static func buildEither(second: some View) -> Shown { Shown() }
}

/// https://developer.apple.com/documentation/swiftui/scene (iOS 14)
@MainActor @preconcurrency public protocol Scene {}

/// https://developer.apple.com/documentation/swiftui/app (iOS 14)
@MainActor @preconcurrency public protocol App {
    associatedtype Body: Scene
    var body: Body { get }
    init()
}

extension App {
    public static func main() {}
}

/// https://developer.apple.com/documentation/swiftui/windowgroup (iOS 14)
public struct WindowGroup: Scene {
    public init(@ViewBuilder content: () -> some View) {}
}

// MARK: State

/// https://developer.apple.com/documentation/swiftui/state (iOS 13)
@propertyWrapper public struct State<Value> {
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    public var wrappedValue: Value { get { fatalError() } nonmutating set {} }
    public var projectedValue: Binding<Value> { fatalError() }
}

/// https://developer.apple.com/documentation/swiftui/appstorage (iOS 14)
@propertyWrapper public struct AppStorage<Value> {
    public init(wrappedValue: Value, _ key: String) where Value == String {}
    public var wrappedValue: Value { get { fatalError() } nonmutating set {} }
    public var projectedValue: Binding<Value> { fatalError() }
}

/// https://developer.apple.com/documentation/swiftui/binding (iOS 13)
@dynamicMemberLookup @propertyWrapper public struct Binding<Value> {
    public subscript<Member>(dynamicMember path: WritableKeyPath<Value, Member>) -> Binding<Member> { fatalError() }
    @preconcurrency public init(get: @escaping @isolated(any) @Sendable () -> Value, set: @escaping @isolated(any) @Sendable (Value) -> Void) {}
    public var wrappedValue: Value { get { fatalError() } nonmutating set {} }
    public var projectedValue: Binding<Value> { self }
}

/// https://developer.apple.com/documentation/swiftui/bindable (iOS 17)
@dynamicMemberLookup @propertyWrapper public struct Bindable<Value: AnyObject & Observable> {
    public init(wrappedValue: Value) {}
    public var wrappedValue: Value { get { fatalError() } set {} }
    public var projectedValue: Bindable<Value> { self }
    public subscript<Member>(dynamicMember path: ReferenceWritableKeyPath<Value, Member>) -> Binding<Member> { fatalError() }
}

/// https://developer.apple.com/documentation/swiftui/focusstate (iOS 15)
@propertyWrapper @MainActor public struct FocusState<Value: Hashable> {
    public struct Binding {
        public var wrappedValue: Value { get { fatalError() } nonmutating set {} }
    }
    public init() where Value == Bool {}
    public var wrappedValue: Value { get { fatalError() } nonmutating set {} }
    public var projectedValue: Binding { fatalError() }
}

/// https://developer.apple.com/documentation/swiftui/gesturestate (iOS 13)
@propertyWrapper public struct GestureState<Value> {
    public init(wrappedValue: Value) {}
    public init() where Value: ExpressibleByNilLiteral {}
    public var wrappedValue: Value { fatalError() }
    public var projectedValue: GestureState<Value> { self }
}

/// https://developer.apple.com/documentation/swiftui/scenephase (iOS 14)
public enum ScenePhase: Sendable { case background, inactive, active }
/// https://developer.apple.com/documentation/swiftui/colorscheme (iOS 13)
public enum ColorScheme: Sendable { case light, dark }
/// https://developer.apple.com/documentation/swiftui/dynamictypesize (iOS 15)
public enum DynamicTypeSize: Hashable, Comparable, CaseIterable, Sendable {
    case xSmall, small, medium, large, xLarge, xxLarge, xxxLarge
    case accessibility1, accessibility2, accessibility3, accessibility4, accessibility5
}

/// https://developer.apple.com/documentation/swiftui/environmentvalues (iOS 13)
public struct EnvironmentValues {
    public var scenePhase: ScenePhase { .active }
    public var colorScheme: ColorScheme { .light }
    public var displayScale: CGFloat { 2 }
    public var locale: Locale { get { .current } set {} }
    public var accessibilityReduceMotion: Bool { false }
    public var dynamicTypeSize: DynamicTypeSize { .large }
    public var dismiss: DismissAction { DismissAction() }
}

/// https://developer.apple.com/documentation/swiftui/dismissaction (iOS 15)
@MainActor @preconcurrency public struct DismissAction {
    nonisolated init() {}
    public func callAsFunction() {}
}

/// https://developer.apple.com/documentation/swiftui/environment (iOS 13)
@propertyWrapper public struct Environment<Value> {
    public init(_ path: KeyPath<EnvironmentValues, Value>) {}
    public var wrappedValue: Value { fatalError() }
}

// MARK: Gestures and keys

/// https://developer.apple.com/documentation/swiftui/gesture (iOS 13)
@MainActor @preconcurrency public protocol Gesture<Value> {
    associatedtype Value
}
/// https://developer.apple.com/documentation/swiftui/gesturestategesture (iOS 13)
public struct GestureStateGesture<Base: Gesture, State>: Gesture {
    public typealias Value = Base.Value
}
public struct _ChangedGesture<Base: Gesture>: Gesture {
    public typealias Value = Base.Value
}
public struct _EndedGesture<Base: Gesture>: Gesture {
    public typealias Value = Base.Value
}
/// https://developer.apple.com/documentation/swiftui/transaction (iOS 13)
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
/// https://developer.apple.com/documentation/swiftui/draggesture (iOS 13)
public struct DragGesture: Gesture {
    public struct Value: Equatable, Sendable {
        public var location: CGPoint
    }
    public init(minimumDistance: CGFloat = 10, coordinateSpace: some CoordinateSpaceProtocol = .local) {}
}
/// https://developer.apple.com/documentation/swiftui/coordinatespaceprotocol (iOS 17)
public protocol CoordinateSpaceProtocol {}
/// https://developer.apple.com/documentation/swiftui/localcoordinatespace (iOS 17)
public struct LocalCoordinateSpace: CoordinateSpaceProtocol, Sendable {}
/// https://developer.apple.com/documentation/swiftui/globalcoordinatespace (iOS 17)
public struct GlobalCoordinateSpace: CoordinateSpaceProtocol, Sendable {}
extension CoordinateSpaceProtocol where Self == GlobalCoordinateSpace {
    public static var global: GlobalCoordinateSpace { GlobalCoordinateSpace() }
}
extension CoordinateSpaceProtocol where Self == LocalCoordinateSpace {
    public static var local: LocalCoordinateSpace { LocalCoordinateSpace() }
}
/// https://developer.apple.com/documentation/swiftui/hoverphase (iOS 16)
public enum HoverPhase: Equatable, Sendable { case active(CGPoint), ended }
/// https://developer.apple.com/documentation/swiftui/keyequivalent (iOS 14)
public struct KeyEquivalent: Hashable, Sendable {
    public var character: Character
}
/// https://developer.apple.com/documentation/swiftui/eventmodifiers (iOS 14)
public struct EventModifiers: OptionSet, Sendable {
    public static let shift = EventModifiers(rawValue: 2), control = EventModifiers(rawValue: 4)
    public static let option = EventModifiers(rawValue: 8), command = EventModifiers(rawValue: 16)
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
}
/// https://developer.apple.com/documentation/swiftui/keypress (iOS 17)
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

/// https://developer.apple.com/documentation/swiftui/horizontalalignment (iOS 13)
public enum HorizontalAlignment: Sendable { case leading, center }
/// https://developer.apple.com/documentation/swiftui/verticalalignment (iOS 13)
public enum VerticalAlignment: Sendable { case top, center }

/// https://developer.apple.com/documentation/swiftui/vstack (iOS 13)
public struct VStack: View {
    public init(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> some View) {}
    public var body: Never { return fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/hstack (iOS 13)
public struct HStack: View {
    public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> some View) {}
    public var body: Never { return fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/zstack (iOS 13)
public struct ZStack: View {
    public init(@ViewBuilder content: () -> some View) {}
    public var body: Never { return fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/group (iOS 13)
public struct Group: View {
    public init(@ViewBuilder content: () -> some View) {}
    public var body: Never { return fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/axis (iOS 13)
public enum Axis: Sendable {
    public struct Set: OptionSet, Sendable {
        public static let horizontal = Set(rawValue: 1), vertical = Set(rawValue: 2)
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }
    }
}
/// https://developer.apple.com/documentation/swiftui/lazyhstack (iOS 14)
public struct LazyHStack: View {
    public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> some View) {}
    public var body: Never { return fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/griditem (iOS 14)
public struct GridItem: Sendable {
    public enum Size: Sendable {
        case flexible(minimum: CGFloat = 10, maximum: CGFloat = .infinity)
        case adaptive(minimum: CGFloat, maximum: CGFloat = .infinity)
    }
    public init(_ size: Size = .flexible(), spacing: CGFloat? = nil) {}
}
/// https://developer.apple.com/documentation/swiftui/lazyvgrid (iOS 14)
public struct LazyVGrid: View {
    public init(
        columns: [GridItem], alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> some View
    ) {}
    public var body: Never { return fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/layout (iOS 16)
public protocol Layout {}
/// https://developer.apple.com/documentation/swiftui/hstacklayout (iOS 16)
public struct HStackLayout: Layout, Sendable {
    public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil) {}
}
/// https://developer.apple.com/documentation/swiftui/vstacklayout (iOS 16)
public struct VStackLayout: Layout, Sendable {
    public init(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil) {}
}
/// https://developer.apple.com/documentation/swiftui/anylayout (iOS 16)
public struct AnyLayout: Layout {
    public init<L: Layout>(_ layout: L) {}
}
extension Layout {
    @MainActor public func callAsFunction(@ViewBuilder _ content: () -> some View) -> some View { Shown() }
}
/// https://developer.apple.com/documentation/swiftui/scrollview (iOS 13)
public struct ScrollView: View {
    public init(_ axes: Axis.Set = .vertical, showsIndicators: Bool = true, @ViewBuilder content: () -> some View) {}
    public var body: Never { return fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/scrollviewreader (iOS 14)
public struct ScrollViewReader<Content: View>: View {
    public init(@ViewBuilder content: @escaping (ScrollViewProxy) -> Content) {}
    public var body: Never { return fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/scrollviewproxy (iOS 14)
public struct ScrollViewProxy {
    /// https://developer.apple.com/documentation/swiftui/scrollviewproxy/scrollto(_:anchor:) (iOS 14)
    public func scrollTo(_: some Hashable, anchor: UnitPoint? = nil) {}
}
/// https://developer.apple.com/documentation/swiftui/grid (iOS 16)
public struct Grid: View {
    public init(@ViewBuilder content: () -> some View) {}
    public var body: Never { return fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/gridrow (iOS 16)
public struct GridRow: View {
    public init(@ViewBuilder content: () -> some View) {}
    public var body: Never { return fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/viewthatfits (iOS 16)
public struct ViewThatFits: View {
    public init(in axes: Axis.Set = [.horizontal, .vertical], @ViewBuilder content: () -> some View) {}
    public var body: Never { return fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/navigationstack (iOS 16)
public struct NavigationStack<Data, Root: View>: View {
    public init(@ViewBuilder root: () -> Root) where Data == NavigationPath {}
    public init(path: Binding<Data>, @ViewBuilder root: () -> Root)
    where Data: MutableCollection & RandomAccessCollection & RangeReplaceableCollection, Data.Element: Hashable {}
    public var body: Never { return fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/navigationpath (iOS 16)
public struct NavigationPath {}
/// https://developer.apple.com/documentation/swiftui/form (iOS 13)
public struct Form<Content: View>: View {
    public init(@ViewBuilder content: () -> Content) {}
    public var body: Never { return fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/menu (iOS 14)
public struct Menu<Label: View, Content: View>: View {
    public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {}
    public var body: Never { return fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/label (iOS 14)
public struct Label<Title: View, Icon: View>: View {
    public init(_ title: some StringProtocol, systemImage name: String) where Title == Text, Icon == Image {}
    public var body: Never { return fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/list (iOS 13)
public struct List: View {
    public init(@ViewBuilder content: () -> some View) {}
    public init<Data: RandomAccessCollection>(_ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> some View)
    where Data.Element: Identifiable {}
    public var body: Never { return fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/section (iOS 13)
public struct Section<Parent: View, Content: View, Footer: View>: View {
    public init(_ title: some StringProtocol, @ViewBuilder content: () -> Content) where Parent == Text, Footer == EmptyView {}
    public var body: Never { return fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/foreach (iOS 13)
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {}
extension ForEach: View where Content: View {
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
    where ID == Data.Element.ID, Data.Element: Identifiable {}
    public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
    public var body: Never { return fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/geometryproxy (iOS 13)
public struct GeometryProxy {
    public var size: CGSize { .zero }
    public func frame(in: some CoordinateSpaceProtocol) -> CGRect { .zero }
}
/// https://developer.apple.com/documentation/swiftui/geometryreader (iOS 13)
public struct GeometryReader: View {
    public init(@ViewBuilder content: @escaping (GeometryProxy) -> some View) {}
    public var body: Never { return fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/text (iOS 13)
public struct Text: View {
    public init(_ text: some StringProtocol) {}
    public init(verbatim: String) {}
    public var body: Never { return fatalError() }
    public func font(_: Font?) -> Text { self }
    public func foregroundStyle(_: some ShapeStyle) -> Text { self }
    public func bold() -> Text { self }
    public func monospacedDigit() -> Text { self }
}
/// https://developer.apple.com/documentation/swiftui/image (iOS 13)
public struct Image: View {
    public init(systemName: String) {}
    public var body: Never { return fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/emptyview (iOS 13)
public struct EmptyView: View {
    public init() {}
    public var body: Never { return fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/spacer (iOS 13)
public struct Spacer: View {
    public init() {}
    public var body: Never { return fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/divider (iOS 13)
public struct Divider: View {
    public init() {}
    public var body: Never { return fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/buttonrole (iOS 15)
public struct ButtonRole: Equatable, Sendable {
    public static let destructive = ButtonRole(), cancel = ButtonRole()
}
/// https://developer.apple.com/documentation/swiftui/visibility (iOS 15)
public enum Visibility: Sendable { case automatic, visible, hidden }
extension View {
    /// https://developer.apple.com/documentation/swiftui/view/confirmationdialog(_:ispresented:titlevisibility:actions:) (iOS 15)
    public func confirmationDialog(
        _ title: some StringProtocol, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: () -> some View
    ) -> some View { self }
    /// https://developer.apple.com/documentation/swiftui/view/confirmationdialog(_:ispresented:titlevisibility:actions:message:) (iOS 15)
    public func confirmationDialog(
        _ title: some StringProtocol, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: () -> some View, @ViewBuilder message: () -> some View
    ) -> some View { self }
    /// https://developer.apple.com/documentation/swiftui/view/alert(_:ispresented:actions:message:) (iOS 15)
    public func alert(
        _ title: some StringProtocol, isPresented: Binding<Bool>, @ViewBuilder actions: () -> some View,
        @ViewBuilder message: () -> some View
    ) -> some View { self }
    /// https://developer.apple.com/documentation/swiftui/view/fileimporter(ispresented:allowedcontenttypes:oncompletion:) (iOS 14)
    public func fileImporter(
        isPresented: Binding<Bool>, allowedContentTypes: [UTType], onCompletion: @escaping (Result<URL, any Error>) -> Void
    ) -> some View { self }
    /// https://developer.apple.com/documentation/swiftui/view/fileexporter(ispresented:document:contenttype:defaultfilename:oncompletion:) (iOS 14)
    public func fileExporter<D: FileDocument>(
        isPresented: Binding<Bool>, document: D?, contentType: UTType, defaultFilename: String? = nil,
        onCompletion: @escaping (Result<URL, any Error>) -> Void
    ) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/searchable(text:placement:prompt:) (iOS 15)
    public func searchable(
        text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: some StringProtocol
    ) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/swipeactions(edge:allowsfullswipe:content:) (iOS 15)
    public func swipeActions(
        edge: HorizontalEdge = .trailing, allowsFullSwipe: Bool = true, @ViewBuilder content: () -> some View
    ) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/dropdestination(for:action:istargeted:) (iOS 16)
    public func dropDestination<T: Transferable>(
        for payloadType: T.Type = T.self, action: @escaping ([T], CGPoint) -> Bool,
        isTargeted: @escaping (Bool) -> Void = { _ in }
    ) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/onopenurl(perform:) (iOS 14)
    public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/safeareainset(edge:alignment:spacing:content:) (iOS 15)
    public func safeAreaInset(
        edge: VerticalEdge, alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
        @ViewBuilder content: () -> some View
    ) -> some View { Shown() }
}
/// https://developer.apple.com/documentation/swiftui/filedocument (iOS 14)
@preconcurrency public protocol FileDocument: Sendable {
    static var readableContentTypes: [UTType] { get }
    init(configuration: ReadConfiguration) throws
    func fileWrapper(configuration: WriteConfiguration) throws -> FileWrapper
}
extension FileDocument {
    public typealias ReadConfiguration = FileDocumentReadConfiguration
    public typealias WriteConfiguration = FileDocumentWriteConfiguration
}
/// https://developer.apple.com/documentation/swiftui/filedocumentreadconfiguration (iOS 14)
public struct FileDocumentReadConfiguration {
    public let file: FileWrapper
}
/// https://developer.apple.com/documentation/swiftui/filedocumentwriteconfiguration (iOS 14)
public struct FileDocumentWriteConfiguration {}
/// https://developer.apple.com/documentation/swiftui/searchfieldplacement (iOS 15)
public struct SearchFieldPlacement: Sendable {
    public static let automatic = SearchFieldPlacement()
}
/// https://developer.apple.com/documentation/swiftui/horizontaledge (iOS 15)
public enum HorizontalEdge: Sendable { case leading, trailing }
/// https://developer.apple.com/documentation/swiftui/verticaledge (iOS 15)
public enum VerticalEdge: Sendable { case top, bottom }
/// https://developer.apple.com/documentation/swiftui/presentationdetent (iOS 16)
public struct PresentationDetent: Hashable, Sendable {
    public static let medium = PresentationDetent(), large = PresentationDetent()
}
extension View {
    /// https://developer.apple.com/documentation/swiftui/view/sheet(ispresented:ondismiss:content:) (iOS 13)
    public func sheet<Content: View>(
        isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping () -> Content
    ) -> some View { self }
    /// https://developer.apple.com/documentation/swiftui/view/presentationdetents(_:) (iOS 16)
    public func presentationDetents(_ detents: Set<PresentationDetent>) -> some View { self }
}
/// https://developer.apple.com/documentation/swiftui/button (iOS 13)
public struct Button<Label: View>: View {
    public init(_ title: some StringProtocol, action: @escaping @MainActor () -> Void) where Label == Text {}
    public init(_ title: some StringProtocol, role: ButtonRole?, action: @escaping @MainActor () -> Void) where Label == Text {}
    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {}
    public var body: Never { return fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/toggle (iOS 13)
public struct Toggle: View {
    public init(_ title: some StringProtocol, isOn: Binding<Bool>) {}
    public var body: Never { return fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/picker (iOS 13)
public struct Picker<Label: View, SelectionValue: Hashable, Content: View>: View {
    public init(_ title: some StringProtocol, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content)
    where Label == Text {}
    public init(
        selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {}
    public var body: Never { return fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/disclosuregroup (iOS 14)
public struct DisclosureGroup<Label: View, Content: View>: View {
    public init(_ label: some StringProtocol, @ViewBuilder content: @escaping () -> Content) where Label == Text {}
    public var body: Never { return fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/slider (iOS 13)
public struct Slider<Label: View>: View {
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1, @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V.Stride: BinaryFloatingPoint {}
    public var body: Never { return fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/navigationlink (iOS 13)
public struct NavigationLink<Label: View, Destination: View>: View {
    public init(_ title: some StringProtocol, @ViewBuilder destination: () -> Destination) where Label == Text {}
    public init<P: Hashable>(value: P?, @ViewBuilder label: () -> Label) where Destination == Never {}
    public var body: Never { return fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/labeledcontent (iOS 16)
public struct LabeledContent<Label, Content> {}
extension LabeledContent: View where Label: View, Content: View {
    public init(_ title: some StringProtocol, value: some StringProtocol) where Label == Text, Content == Text {}
    public init(_ title: some StringProtocol, @ViewBuilder content: () -> Content) where Label == Text {}
    public var body: Never { return fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/progressview (iOS 14)
public struct ProgressView: View {
    public init<V: BinaryFloatingPoint>(value: V?, total: V = 1) {}
    public init(_ title: some StringProtocol) {}
    public var body: Never { return fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/sharelink (iOS 16)
public struct ShareLink: View {
    public init(_ title: some StringProtocol, item: String) {}
    public var body: Never { return fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/textfield (iOS 13)
public struct TextField: View {
    public init(_ title: some StringProtocol, text: Binding<String>) {}
    public var body: Never { return fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/texteditor (iOS 14)
public struct TextEditor: View {
    public init(text: Binding<String>) {}
    public var body: Never { return fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/contentunavailableview (iOS 17)
public struct ContentUnavailableView: View {
    public init(_ title: some StringProtocol, systemImage: String, description: Text? = nil) {}
    public var body: Never { return fatalError() }
}

// MARK: Modifiers

/// https://developer.apple.com/documentation/swiftui/font (iOS 13)
public struct Font: Sendable {
    public enum Weight: Sendable { case bold }
    public static let largeTitle = Font(), headline = Font(), subheadline = Font(), footnote = Font(), caption = Font()
    public static func system(size: CGFloat, weight: Weight? = nil) -> Font { Font() }
}
/// https://developer.apple.com/documentation/swiftui/contentmode (iOS 13)
public enum ContentMode: Sendable { case fit, fill }
/// https://developer.apple.com/documentation/swiftui/titledisplaymode (iOS 13)
public enum TitleDisplayMode: Sendable { case automatic, inline, large }
/// https://developer.apple.com/documentation/swiftui/primitivebuttonstyle (iOS 13)
@MainActor @preconcurrency public protocol PrimitiveButtonStyle {}
/// https://developer.apple.com/documentation/swiftui/borderedbuttonstyle (iOS 15)
public struct BorderedButtonStyle: PrimitiveButtonStyle {}
/// https://developer.apple.com/documentation/swiftui/borderedprominentbuttonstyle (iOS 15)
public struct BorderedProminentButtonStyle: PrimitiveButtonStyle {}
/// https://developer.apple.com/documentation/swiftui/borderlessbuttonstyle (iOS 13)
public struct BorderlessButtonStyle: PrimitiveButtonStyle {}
extension PrimitiveButtonStyle where Self == BorderlessButtonStyle {
    public static var borderless: BorderlessButtonStyle { BorderlessButtonStyle() }
}
extension PrimitiveButtonStyle where Self == BorderedButtonStyle {
    public static var bordered: BorderedButtonStyle { BorderedButtonStyle() }
}
extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
    public static var borderedProminent: BorderedProminentButtonStyle { BorderedProminentButtonStyle() }
}
/// https://developer.apple.com/documentation/swiftui/pickerstyle (iOS 13)
@MainActor @preconcurrency public protocol PickerStyle {}
/// https://developer.apple.com/documentation/swiftui/segmentedpickerstyle (iOS 13)
public struct SegmentedPickerStyle: PickerStyle {}
/// https://developer.apple.com/documentation/swiftui/menupickerstyle (iOS 14)
public struct MenuPickerStyle: PickerStyle {}
extension PickerStyle where Self == SegmentedPickerStyle {
    public static var segmented: SegmentedPickerStyle { SegmentedPickerStyle() }
}
extension PickerStyle where Self == MenuPickerStyle {
    public static var menu: MenuPickerStyle { MenuPickerStyle() }
}
/// https://developer.apple.com/documentation/swiftui/sensoryfeedback (iOS 17)
public struct SensoryFeedback: Sendable {
    public static let impact = SensoryFeedback()
    public static let error = SensoryFeedback()
}
/// https://developer.apple.com/documentation/swiftui/accessibilitytraits (iOS 13)
public struct AccessibilityTraits: SetAlgebra, Sendable {
    public static let isButton = AccessibilityTraits(), isSelected = AccessibilityTraits()
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
/// https://developer.apple.com/documentation/swiftui/accessibilitychildbehavior (iOS 13)
public struct AccessibilityChildBehavior: Hashable, Sendable {
    public static let ignore = AccessibilityChildBehavior(), contain = AccessibilityChildBehavior()
    public static let combine = AccessibilityChildBehavior()
}
/// https://developer.apple.com/documentation/swiftui/accessibilitynotification (iOS 17)
public enum AccessibilityNotification {
    public struct Announcement {
        public init(_ text: some StringProtocol) {}
        public func post() {}
    }
}
/// https://developer.apple.com/documentation/swiftui/edge (iOS 13)
public enum Edge: Sendable {
    public enum Set: Sendable { case all, horizontal, vertical, top, bottom }
}

extension View {
    /// https://developer.apple.com/documentation/swiftui/view/font(_:) (iOS 13)
    public func font(_: Font?) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/foregroundstyle(_:) (iOS 15)
    public func foregroundStyle(_: some ShapeStyle) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/padding(_:_:) (iOS 13)
    public func padding(_: Edge.Set = .all, _: CGFloat? = nil) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/frame(width:height:alignment:) (iOS 13)
    public func frame(width: CGFloat? = nil, height: CGFloat? = nil) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/frame(minwidth:idealwidth:maxwidth:minheight:idealheight:maxheight:alignment:) (iOS 13)
    public func frame(
        minWidth: CGFloat? = nil, maxWidth: CGFloat? = nil, minHeight: CGFloat? = nil, maxHeight: CGFloat? = nil
    ) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/opacity(_:) (iOS 13)
    public func opacity(_: Double) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/linelimit(_:) (iOS 13)
    public func lineLimit(_: Int?) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/minimumscalefactor(_:) (iOS 13)
    public func minimumScaleFactor(_: CGFloat) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/overlay(alignment:content:) (iOS 15)
    public func overlay(@ViewBuilder content: () -> some View) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/background(_:ignoressafeareaedges:) (iOS 15)
    public func background(_: some ShapeStyle) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/clipshape(_:style:) (iOS 13)
    public func clipShape(_: some Shape) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/allowshittesting(_:) (iOS 13)
    public func allowsHitTesting(_: Bool) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/border(_:width:) (iOS 13)
    public func border(_: some ShapeStyle, width: CGFloat = 1) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/position(x:y:) (iOS 13)
    public func position(x: CGFloat, y: CGFloat) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/aspectratio(_:contentmode:) (iOS 13)
    public func aspectRatio(_: CGFloat?, contentMode: ContentMode) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/contentshape(_:eofill:) (iOS 13)
    public func contentShape(_: some Shape, eoFill: Bool = false) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/disabled(_:) (iOS 13)
    public func disabled(_: Bool) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/id(_:) (iOS 13)
    public func id(_: some Hashable) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/tag(_:) (iOS 13)
    public func tag<V: Hashable>(_: V) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/buttonstyle(_:) (iOS 13)
    public func buttonStyle(_: some PrimitiveButtonStyle) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/pickerstyle(_:) (iOS 13)
    public func pickerStyle(_: some PickerStyle) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/labelshidden() (iOS 13)
    public func labelsHidden() -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/navigationtitle(_:) (iOS 14)
    public func navigationTitle(_: some StringProtocol) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/navigationbartitledisplaymode(_:) (iOS 14)
    public func navigationBarTitleDisplayMode(_: TitleDisplayMode) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/navigationdestination(for:destination:) (iOS 16)
    public func navigationDestination<D: Hashable>(
        for: D.Type, @ViewBuilder destination: @escaping (D) -> some View
    ) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/toolbar(content:) (iOS 14)
    public func toolbar(@ViewBuilder content: () -> some View) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/task(priority:_:) (iOS 15)
    public func task(
        priority: TaskPriority = .userInitiated, @_inheritActorContext _: @escaping @Sendable () async -> Void
    ) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/task(id:priority:_:) (iOS 15)
    public func task(
        id: some Equatable, priority: TaskPriority = .userInitiated,
        @_inheritActorContext _: @escaping @Sendable () async -> Void
    ) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/onappear(perform:) (iOS 13)
    public func onAppear(perform: (() -> Void)? = nil) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/ondisappear(perform:) (iOS 13)
    public func onDisappear(perform: (() -> Void)? = nil) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/onchange(of:initial:_:) (iOS 17)
    public func onChange<V: Equatable>(
        of: V, initial: Bool = false, _: @escaping (V, V) -> Void
    ) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/onchange(of:initial:_:) (iOS 17)
    public func onChange(of: some Equatable, initial: Bool = false, _: @escaping () -> Void) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/gesture(_:including:) (iOS 13)
    public func gesture<T: Gesture>(_: T) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/oncontinuoushover(coordinatespace:perform:) (iOS 16)
    public func onContinuousHover(
        coordinateSpace: some CoordinateSpaceProtocol = .local, perform: @escaping (HoverPhase) -> Void
    ) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/focusable(_:) (iOS 17)
    public func focusable(_: Bool = true) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/focused(_:) (iOS 15)
    public func focused(_: FocusState<Bool>.Binding) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/defaultfocus(_:_:priority:) (iOS 17)
    public func defaultFocus<V: Hashable>(_: FocusState<V>.Binding, _: V) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/focuseffectdisabled(_:) (iOS 17)
    public func focusEffectDisabled(_: Bool = true) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/onkeypress(phases:action:) (iOS 17)
    public func onKeyPress(
        phases: KeyPress.Phases = [.down, .repeat], action: @escaping (KeyPress) -> KeyPress.Result
    ) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/preferredcolorscheme(_:) (iOS 13)
    public func preferredColorScheme(_: ColorScheme?) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/environment(_:_:) (iOS 13)
    public func environment<Value>(_: WritableKeyPath<EnvironmentValues, Value>, _: Value) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/sensoryfeedback(_:trigger:) (iOS 17)
    public func sensoryFeedback(_: SensoryFeedback, trigger: some Equatable) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/sensoryfeedback(_:trigger:condition:) (iOS 17)
    public func sensoryFeedback<T: Equatable>(
        _: SensoryFeedback, trigger: T, condition: @escaping (T, T) -> Bool
    ) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/accessibilitylabel(_:) (iOS 14)
    public func accessibilityLabel(_: some StringProtocol) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/accessibilityvalue(_:) (iOS 14)
    public func accessibilityValue(_: some StringProtocol) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/accessibilityhidden(_:) (iOS 14)
    public func accessibilityHidden(_: Bool) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/accessibilityelement(children:) (iOS 13)
    public func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/accessibilityidentifier(_:) (iOS 14)
    public func accessibilityIdentifier(_: String) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/accessibilityaddtraits(_:) (iOS 14)
    public func accessibilityAddTraits(_: AccessibilityTraits) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/accessibilityaction(_:_:) (iOS 13)
    public func accessibilityAction(_: @escaping () -> Void) -> some View { Shown() }
    /// https://developer.apple.com/documentation/swiftui/view/accessibilitychildren(children:) (iOS 15)
    public func accessibilityChildren(@ViewBuilder children: () -> some View) -> some View { Shown() }
}

// MARK: Drawing

/// https://developer.apple.com/documentation/swiftui/shapestyle (iOS 13)
public protocol ShapeStyle {}
extension ShapeStyle where Self == Color {
    public static var secondary: Color { Color() }
    public static var red: Color { Color() }
}
/// The protocol of SwiftUI whose name a board's shapes have, too.
/// https://developer.apple.com/documentation/swiftui/shape (iOS 13)
@preconcurrency public protocol Shape: View, Sendable {}
/// https://developer.apple.com/documentation/swiftui/circle (iOS 13)
public struct Circle: Shape {
    public init() {}
    public var body: Never { return fatalError() }
    public func stroke(_: some ShapeStyle, lineWidth: CGFloat = 1) -> some View { Shown() }
}
/// https://developer.apple.com/documentation/swiftui/backgroundstyle (iOS 14)
public struct BackgroundStyle: ShapeStyle {}
extension ShapeStyle where Self == BackgroundStyle {
    public static var background: BackgroundStyle { BackgroundStyle() }
}
/// https://developer.apple.com/documentation/swiftui/color (iOS 13)
public struct Color: ShapeStyle, Sendable {
    public enum RGBColorSpace: Sendable { case sRGB }
    public init() {}
    public init(_: RGBColorSpace = .sRGB, red: Double, green: Double, blue: Double, opacity: Double = 1) {}
    public static let red = Color(), yellow = Color(), blue = Color(), orange = Color(), black = Color(), white = Color()
    public static let gray = Color(), primary = Color(), secondary = Color(), accentColor = Color()
    public func opacity(_: Double) -> Color { self }
}
/// https://developer.apple.com/documentation/swiftui/rectangle (iOS 13)
public struct Rectangle: Shape {
    public init() {}
    public var body: Never { return fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/path (iOS 13)
public struct Path {
    public init() {}
    public init(_: CGRect) {}
    public init(ellipseIn: CGRect) {}
    public init(roundedRect: CGRect, cornerRadius: CGFloat) {}
    public mutating func addEllipse(in: CGRect) {}
    public mutating func move(to: CGPoint) {}
    public mutating func addLine(to: CGPoint) {}
    public mutating func addLines(_: [CGPoint]) {}
    public mutating func closeSubpath() {}
}
/// https://developer.apple.com/documentation/swiftui/strokestyle (iOS 13)
public struct StrokeStyle: Sendable {
    public init(
        lineWidth: CGFloat = 1, lineCap: CGLineCap = .butt, lineJoin: CGLineJoin = .miter, miterLimit: CGFloat = 10,
        dash: [CGFloat] = []
    ) {}
}
/// https://developer.apple.com/documentation/coregraphics/cglinecap (iOS 13)
public enum CGLineCap: Sendable { case butt, round, square }
/// https://developer.apple.com/documentation/coregraphics/cglinejoin (iOS 13)
public enum CGLineJoin: Sendable { case miter, round, bevel }
/// https://developer.apple.com/documentation/swiftui/fillstyle (iOS 13)
public struct FillStyle: Sendable {
    public init(eoFill: Bool = false, antialiased: Bool = true) {}
}
/// https://developer.apple.com/documentation/swiftui/gradient (iOS 13)
public struct Gradient: Sendable {
    public struct Stop: Sendable {
        public init(color: Color, location: CGFloat) {}
    }
    public init(stops: [Stop]) {}
}
/// https://developer.apple.com/documentation/swiftui/unitpoint (iOS 13)
public struct UnitPoint: Sendable {
    public static let center = UnitPoint()
}
/// https://developer.apple.com/documentation/swiftui/graphicscontext (iOS 15)
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
/// https://developer.apple.com/documentation/swiftui/timelineschedule (iOS 15)
public protocol TimelineSchedule {}
/// https://developer.apple.com/documentation/swiftui/animationtimelineschedule (iOS 15)
public struct AnimationTimelineSchedule: TimelineSchedule, Sendable {}
extension TimelineSchedule where Self == AnimationTimelineSchedule {
    public static func animation(minimumInterval: Double? = nil, paused: Bool = false) -> AnimationTimelineSchedule {
        AnimationTimelineSchedule()
    }
}
/// https://developer.apple.com/documentation/swiftui/timelineview (iOS 15)
public struct TimelineView<Schedule: TimelineSchedule>: View {
    public struct Context {
        public let date: Date
    }
    public init(_: Schedule, @ViewBuilder content: @escaping (Context) -> some View) {}
    public var body: Never { return fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/canvas (iOS 15)
public struct Canvas: View {
    public init(renderer: @escaping (inout GraphicsContext, CGSize) -> Void) {}
    public var body: Never { return fatalError() }
}

// MARK: What Apple's systems bring along

/// MacTypes.h has it, and Foundation with it: a bare Point beside another module's is ambiguous.
/// https://developer.apple.com/documentation/kernel/point
public struct Point {
    public var v: Int16 = 0
    public var h: Int16 = 0
}

// MARK: UIKit

/// https://developer.apple.com/documentation/uikit/uiapplication (iOS 13)
@MainActor public final class UIApplication {
    public static let shared = UIApplication()
    public var isIdleTimerDisabled = false
}
/// https://developer.apple.com/documentation/uikit/uidevice (iOS 13)
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

/// https://developer.apple.com/documentation/foundation/filewrapper (iOS 2)
public final class FileWrapper {
    public init(regularFileWithContents: Data) {}
    public var regularFileContents: Data? { nil }
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
