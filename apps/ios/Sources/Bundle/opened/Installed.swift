/// A bundle of the app: its entry, where it lies, and whether a person has given it.
public struct Installed: Hashable, Sendable {
    public let entry: Entry
    public let store: Store
    public let isGiven: Bool

    public init(_ entry: Entry, _ store: Store, isGiven: Bool = false) {
        (self.entry, self.store, self.isGiven) = (entry, store, isGiven)
    }

    /// What is installed, then what a person has given. BundleError if the index cannot be read. Reads the disk.
    public static func all(_ store: Store, _ given: GivenBundles? = nil) throws -> [Installed] {
        let own = try readIndex(store).map { Installed($0, store) }
        guard let given else { return own }
        return own + given.entries(besides: own.map(\.entry.name)).map { Installed($0, given.store, isGiven: true) }
    }
}
