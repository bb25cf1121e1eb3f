/** Has a series be played in one tab alone. */

/**
 * Hold a series until the answer is called; null if another tab holds it. A browser that has no locks, which is so of
 * a page without encryption, never refuses: there the library reports the other tab's games.
 */
export function hold(id: string): Promise<(() => void) | null> {
  const { locks } = navigator as { locks?: LockManager };
  if (!locks) return Promise.resolve(() => undefined);
  return new Promise((resolve, reject) => {
    const held = (lock: Lock | null): Promise<void> | undefined => {
      if (lock) return new Promise<void>((release) => resolve(release));
      resolve(null);
      return undefined;
    };
    locks.request(`azx series ${id}`, { ifAvailable: true }, held).catch(reject);
  });
}
