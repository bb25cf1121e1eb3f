/// A growing list of plain numbers, for a search.
///
/// Each use of an array counts references, asks whether the array is shared, and checks bounds: a simulation of
/// tic-tac-toe took a third longer. A pile has one owner. It grows in place if the allocator can (an array is copied into
/// new pages), and checks bounds in debug builds only, in which the tests run.

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

struct Pile<Element: BitwiseCopyable>: ~Copyable {
    private(set) var count = 0
    private var capacity = 0
    /// nil before the first element.
    private var base: UnsafeMutablePointer<Element>!

    init() {}

    deinit { free(base) }

    subscript(at: Int) -> Element {
        get {
            assert(0 <= at && at < count)
            return base[at]
        }
        set {
            assert(0 <= at && at < count)
            base[at] = newValue
        }
    }

    mutating func append(_ element: Element) {
        if count == capacity { grow() }
        base[count] = element
        count += 1
    }

    /// Append the elements of `other` in `range`.
    mutating func append(_ other: borrowing Pile, _ range: Range<Int>) {
        for at in range { append(other[at]) }
    }

    mutating func removeAll() { count = 0 }

    private mutating func grow() {
        capacity = max(16, 2 * capacity)
        guard let moved = realloc(base, capacity * MemoryLayout<Element>.stride) else {
            fatalError("search: there is no memory for more nodes.")
        }
        base = moved.assumingMemoryBound(to: Element.self)
    }
}
