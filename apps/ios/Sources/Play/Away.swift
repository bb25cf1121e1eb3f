/// The result of `work`, done away from the main actor: a disk takes a while, and so do playouts and a long game's moves.
public nonisolated func away<Done: Sendable>(_ work: @Sendable () throws -> Done) async rethrows -> Done { try work() }
