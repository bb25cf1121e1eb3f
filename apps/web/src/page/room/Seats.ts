/** Provides the network of a side: the open one, or a second one beside it in the worker. */

import type { Entry } from "../../bundle/Index";
import { allSettings, type Settings } from "../../engine/Game";
import { byName } from "../../engine/known/Recognition";
import { BundleError, sentence } from "../../texts/Sentence";
import type { Client } from "../bundles/Client";
import { openingOf } from "../choices/Memory";
import { hideLoading, showLoading } from "../dom/Loading";
import type { Side } from "../game/GameRecord";
import { fits } from "../records/Settings";
import { titleOf } from "../words/Words";
import "texts:series";

/** The present board, and the networks that may play on it. */
export interface Seats {
  readonly client: Client;
  readonly base: string;
  readonly entries: readonly Entry[];
  /** The bundle that is open. */
  readonly open: Entry | null;
  readonly game: string;
  readonly settings: Settings;
}

/** BundleError with a sentence if the network is not there any more, or does not play on this board. */
export async function seat({ bundle, name }: Side, seats: Seats): Promise<void> {
  const { client, base, entries, open, game, settings } = seats;
  const isMeant = (entry: Entry): boolean => entry.name === bundle?.name && entry.isGiven === bundle.given;
  if (open && isMeant(open)) return;
  const guest = entries.find(isMeant);
  if (!guest) throw new BundleError(sentence("series_gone", name));
  const request = openingOf(guest, base);
  const title = (): string => titleOf(guest);
  let isComing = false;
  try {
    // A network that is loaded already reports no bytes.
    const there = await client.ask("invite", request, (progress) => {
      isComing = true;
      showLoading(title, progress);
    });
    if (there && plays(there, game, settings)) return;
    throw new BundleError(sentence("series_other_board", name));
  } finally {
    if (isComing) hideLoading();
  }
}

/** Whether what stands for its `own` board plays a game on this one. */
export const plays = (
  own: { readonly game: string | null; readonly settings: Settings | null },
  game: string,
  settings: Settings,
): boolean => own.game === game && own.settings !== null && fits(allSettings(byName(game), settings), own.settings);
