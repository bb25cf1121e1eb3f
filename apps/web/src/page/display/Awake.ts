/** Keeps the screen on where a browser can: nobody touches it while a game goes on by itself. Loaded with the first such game. */

let isWanted = false;
let isAsking = false;
let lock: WakeLockSentinel | null = null;

/** Ask for a screen that stays on, or let it go off as the device likes. The browser ends it where the page is not seen. */
export async function stayAwake(wanted: boolean): Promise<void> {
  isWanted = wanted;
  if (isAsking) return;
  isAsking = true;
  try {
    if (isWanted && (!lock || lock.released)) lock = (await navigator.wakeLock?.request("screen")) ?? null;
  } catch {
    // A low battery, or no permission: the screen goes off as always.
    lock = null;
  }
  isAsking = false;
  // It may have become unwanted meanwhile.
  if (isWanted || !lock) return;
  const held = lock;
  lock = null;
  await held.release();
}
