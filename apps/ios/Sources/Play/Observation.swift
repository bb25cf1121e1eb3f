#if os(Linux)
    /// A symbol that Swift 6.0's libswiftObservation.so needs but lacks on Linux; nothing ever calls it. It is in this module, whose
    /// types are observed, so that every program with a table links.
    @_cdecl("_ZN5swift9threading5fatalEPKcz")
    public func swiftThreadingFatal() -> Never { fatalError("Observation failed.") }
#endif
