/// The result of `work`, done away from the main actor: disks, playouts and long games take a while.
public nonisolated func away<Done: Sendable>(_ work: @Sendable () throws -> Done) async rethrows -> Done { try work() }
