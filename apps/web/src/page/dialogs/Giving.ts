/** What a person gives to the page: a bundle, a record or an exported library; and bundles of theirs that go again. */

import type { GivenFile } from "../../bundle/given/Given";
import type { Entry } from "../../bundle/Index";
import { saidOf, say, sayThis } from "../../texts/Speech";
import * as memory from "../choices/Memory";
import { complain } from "../dom/Complaint";
import { byId } from "../dom/Dom";
import { tell } from "../dom/Labels";
import { OF_TAB, OPENING, store } from "../dom/Storage";
import { goTo } from "../library/Address";
import { isExport } from "../library/Export";
import { isRecordFile, textOf } from "../records/RecordFile";
import type { House } from "../room/House";
import { sayUnlisted } from "../words/Words";

/** What it asks of the page beside the rest. */
export interface Listing extends House {
  /** Have these entries in the list from now on. */
  list(entries: readonly Entry[]): void;
  /** The bundle that is played soonest. */
  first(): Entry | undefined;
}

/** Put the bundle that a person has given to the page into the list, and open it; or what else it was. */
export async function take(reading: Promise<readonly GivenFile[]>, house: Listing): Promise<void> {
  const { room } = house;
  room.table?.stage.leaveThought();
  complain(null);
  const opening = byId("opening");
  opening.hidden = false;
  reading.catch(() => undefined);
  try {
    // What is wrong with files is said in words of their own.
    await import("texts:given");
    await put(await reading, house);
  } catch (error) {
    complain(saidOf(error));
    room.table?.opponent.resume();
  } finally {
    store(OPENING, null, OF_TAB);
    opening.hidden = true;
    tell("opening", null);
  }
}

async function put(given: readonly GivenFile[], house: Listing): Promise<void> {
  const { client, library, desk } = house;
  const [first] = given;
  if (given.length === 1 && first && isRecordFile(first.path)) {
    complain(await desk.openRecord(await textOf(first.blob), "opened"));
    return;
  }
  if (given.length === 1 && first && (await isExport(first.blob))) {
    const { importGames } = await import("../library/Archive");
    complain(await importGames(library, first.blob));
    return;
  }
  const what = first?.path.split("/")[0];
  // A browser ends a page that takes too much memory: what it was opening then, only its next start can tell.
  store(OPENING, what ?? null, OF_TAB);
  tell("opening", () => (what === undefined ? say("checking_dropped") : say("checking", what)));
  const entries = house.entries();
  const names = entries.filter(({ isGiven }) => !isGiven).map(({ name }) => name);
  const { entry, unkept, unlisted } = await client.ask("take", { given, names });
  house.list([...entries.filter(({ name }) => name !== entry.name), entry]);
  house.choose(entry);
  if (unkept) complain(() => sayThis(unkept));
  else if (unlisted.length) complain(() => sayUnlisted(entry, unlisted));
}

/** Forget a bundle that was given to the page; its games stay. */
export async function remove(entry: Entry, house: Listing): Promise<void> {
  const { client, room } = house;
  await client.ask("remove", { name: entry.name });
  house.list(house.entries().filter((each) => each !== entry));
  if (entry === room.entry) {
    const next = house.first();
    if (next) house.choose(next);
    else {
      room.close();
      goTo("", false);
      complain(() => say("no_games"));
    }
  }
  memory.forget(entry);
}
