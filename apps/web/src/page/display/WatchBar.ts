/** The controls of a game that the network plays against itself: pause, one move, and how fast it goes. */

import { say } from "../../texts/Speech";
import { chosen } from "../choices/Controls";
import { byId, put } from "../dom/Dom";
import type { Session } from "../game/Session";
import * as sessions from "../game/Session";

/** How long a move is looked at before the network thinks about the next one, in milliseconds. */
const PACES: Readonly<Record<string, number>> = { slow: 3000, usual: 1000, fast: 200 };

/** The pace that is chosen, in milliseconds. */
export const pace = (): number => PACES[chosen("pace")] ?? 1000;

let awake: Promise<typeof import("./Awake")> | null = null;

/** Keep the screen on while a game goes on by itself. */
function keepAwake(isWanted: boolean): void {
  if (isWanted) awake ??= import("./Awake");
  void awake?.then(({ stayAwake }) => stayAwake(isWanted));
}

export function displayWatch(session: Session, isReplay: boolean, isPaused: boolean, isSeen: boolean): void {
  const isWanted = sessions.isWatched(session) && sessions.phase(session) !== "over" && !isReplay;
  byId("watch").hidden = !isWanted;
  keepAwake(isWanted && !isPaused && isSeen);
  put(byId("pause"), say(isPaused ? "watch_on" : "pause"));
  byId<HTMLButtonElement>("one-move").disabled = !isPaused;
}
