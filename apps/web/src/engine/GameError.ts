/** An error that a person can act on, in one sentence. */
export class GameError extends Error {
  override readonly name = "GameError";
}
