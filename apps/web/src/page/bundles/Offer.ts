/** New bundles of a server, and the offer of a new network: the game keeps the old one until a person accepts. */

import type { Entry } from "../../bundle/Index";
import { say } from "../../texts/Speech";
import { byId } from "../dom/Dom";
import { tell } from "../dom/Labels";
import { titleOf } from "../words/Words";

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

let offered: Entry | null = null;

export function offer(entry: Entry | null): void {
  offered = entry;
  byId("offer").hidden = entry === null;
  tell("offer-text", entry && (() => say("new_network", titleOf(entry))));
}

/** Call `take` with the offered bundle when a person accepts it. */
export function connectOffer(take: (entry: Entry) => void): void {
  byId("offer-take").addEventListener("click", () => {
    const entry = offered;
    offer(null);
    if (entry) take(entry);
  });
}
