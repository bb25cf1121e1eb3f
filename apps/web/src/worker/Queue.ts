/** Requests, answered one after the other. */

export class Queue {
  private stops = 0;
  private last: Promise<void> = Promise.resolve();

  /** Do `act` once everything before it is done; `isStopped` says whether a stop has come since this call. */
  add(act: (isStopped: () => boolean) => Promise<void>): void {
    const before = this.stops;
    this.last = this.last.then(() => act(() => this.stops !== before));
  }

  /** End what was asked for until now: the one that is under way, and those that wait behind it. */
  stop(): void {
    this.stops++;
  }
}
