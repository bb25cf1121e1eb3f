/** A puzzle on the board: the position before the mistake, with its question, and the way to the next one. */

import { say } from "../../texts/Speech";
import { byId, element } from "../dom/Dom";
import { gameAddress, goTo, PUZZLES_ADDRESS } from "../library/Address";
import type { Desk } from "../room/Desk";
import type { Room } from "../room/Room";
import type { Puzzle } from "./Queue";

/** Put a puzzle there; the network that says whether a move is good comes with its game. */
export async function solve({ record, ply }: Puzzle, room: Room, desk: Desk, clear: () => void): Promise<void> {
  clear();
  goTo(gameAddress(record.id), true);
  await desk.show(record);
  const { table } = room;
  if (!table) return;
  if (!room.entry) await room.invite();
  table.review.replay(true);
  table.review.showAt(ply + 1);
  await table.review.retry();
  lay(record.id, room);
}

/** The link to the next one, as long as this game is there. */
function lay(id: string, room: Room): void {
  document.getElementById("puzzle-next")?.remove();
  const next = element("a", { id: "puzzle-next", class: "button", href: PUZZLES_ADDRESS }, say("puzzle_next"));
  byId("line").append(next);
  const watch = new MutationObserver(() => {
    if (room.table?.now.identity.id === id) return;
    next.remove();
    watch.disconnect();
  });
  watch.observe(byId("board"), { childList: true });
}
