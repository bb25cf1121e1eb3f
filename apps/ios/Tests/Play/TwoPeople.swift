import AzxEngine
import Support
import Testing

@testable import AzxPlay

/// Two people's tables in a folder that outlives the process.
@MainActor struct TwoPeople {
    let folder = GamesFolder()

    func sit(
        _ name: String, _ library: Library?, _ agreed: Agreed = Agreed(names: ["Ann", "Bo"]), _ settings: Settings = [:],
        now: @escaping () -> Int = { 0 }
    ) throws -> SharedTable {
        let game = try Game.find(name)
        let all = Settings(uniqueKeysWithValues: try game.settings.map { ($0.name, try $0.read(settings[$0.name])) })
        return SharedTable(game.begin(all, from: [try game.begin(all)], agreed), game, in: library, now: now)
    }

    /// The table of the next process, which knows what is on the disk.
    func again(_ table: SharedTable, _ library: Library, now: @escaping () -> Int = { 0 }) async throws -> (SharedTable, Library) {
        await library.settle()
        let next = folder.library()
        await next.open()
        let record = try #require(next[table.id])
        return (SharedTable(try #require(record.keptShared), table.game, in: next, now: now), next)
    }
}
