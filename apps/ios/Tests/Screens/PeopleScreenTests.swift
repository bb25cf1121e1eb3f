import AzxEngine
import Support
import Testing

@testable import AzxPlay
@testable import AzxScreens

/// The screen of two people: from their terms to a game, and on with one of the library.
@MainActor @Suite(.timeLimit(.minutes(5))) struct PeopleScreenTests {
    private let folder = GamesFolder()

    @Test func newTermsComeAfterAGameOfTheLibrary() async throws {
        let library = folder.library()
        await library.open()
        let first = People(in: library) { 0 }
        first.begin()
        let id = try #require(first.table).id
        first.table?.play(38)
        first.table?.resign()
        let second = People(in: library) { 0 }
        #expect(!second.hasBegun)
        await second.open(id)
        #expect(second.table?.id == id && second.hasBegun)
        second.anew()
        await second.open(id)
        #expect(second.table == nil && second.hasBegun && !second.isDamaged)
        second.begin()
        #expect(second.table != nil && second.table?.id != id)
    }

    @Test func whoHasNoNameIsCalledByThePiecesOnceAndWithACapital() {
        let people = People(in: nil) { 0 }
        people.choose("go")
        people.agreed.names = ["Ann", ""]
        people.begin()
        #expect(people.chips.map { Catalog.english.say($0.who) } == ["Ann", "White"])
        #expect(people.chips.map { $0.what.map { Catalog.english.say(.opening(.phrase($0))) } } == ["Black", nil])
        #expect(people.headline.map { Catalog.english.say($0) } == "Ann to move")
        people.table?.play(40)
        #expect(people.headline.map { Catalog.english.say($0) } == "White to move")
    }

    @Test func whatCannotBeGoneOnWithIsDamaged() async {
        let people = People(in: folder.library()) { 0 }
        await people.open("none")
        #expect(people.isDamaged && !people.hasBegun && people.table == nil)
    }
}
