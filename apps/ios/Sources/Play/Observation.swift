#if os(Linux)
    /// A symbol that Swift 6.0's libswiftObservation.so needs and does not bring on Linux; nothing ever calls it. It is
    /// here, beside what is observed, so that every program with a table in it links.
    @_cdecl("_ZN5swift9threading5fatalEPKcz")
    public func swiftThreadingFatal() -> Never { fatalError("Observation failed.") }
#endif
