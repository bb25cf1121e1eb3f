/** What `azx serve --watch` has from moment to moment: the page asks again. Loaded where it is served like this. */

import { bundlesOf, type Entry } from "../bundle/Index";
import { indexText } from "../bundle/Store";

const MILLISECONDS = 2000;

/** What another index changes: the bundles to list, and the one to offer in place of the one that is open. */
export interface News {
  readonly entries: readonly Entry[];
  readonly offer: Entry | null;
}

/** The news of an index `found`, where these bundles are listed and this one is open. */
export function newsOf(listed: readonly Entry[], open: Entry | null, found: readonly Entry[]): News {
  const given = listed.filter(({ isGiven }) => isGiven);
  const known = new Map(listed.filter(({ isGiven }) => !isGiven).map((entry) => [entry.name, entry]));
  let offer: Entry | null = null;
  const entries = found.map((entry) => {
    const old = known.get(entry.name);
    if (!old || isSame(old, entry)) return old ?? entry;
    if (old !== open) return entry;
    offer = entry;
    return old;
  });
  // What is open stays, whatever the server has.
  const isLeft = open !== null && !open.isGiven && !entries.includes(open);
  const all = isLeft ? [...entries, open] : entries;
  return { entries: [...all, ...given.filter(({ name }) => all.every((each) => each.name !== name))], offer };
}

/** Whether two entries are of one network: every file has the same hash. */
function isSame(one: Entry, other: Entry): boolean {
  const hashes = ({ files }: Entry): string => files.map(({ path, sha256 }) => `${path} ${sha256}`).join("\n");
  return hashes(one) === hashes(other);
}

/** Ask for the index again and again, while the page is seen, and hand on each that is another than before. */
export function follow(base: string, hear: (found: readonly Entry[]) => void): void {
  let last: string | null = null;
  let isAsking = false;
  const ask = async (): Promise<void> => {
    if (document.hidden || isAsking) return;
    isAsking = true;
    const text = await indexText(base);
    isAsking = false;
    if (text === null || text === last) return;
    last = text;
    try {
      hear(bundlesOf(JSON.parse(text)));
    } catch {
      // An index that cannot be read now may be read the next time; the page has one.
    }
  };
  setInterval(() => void ask(), MILLISECONDS);
  document.addEventListener("visibilitychange", () => void ask());
}
