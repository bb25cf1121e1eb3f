/** What the buttons and keys beside a board do: each acts on the table that is there, and does nothing without one. */

import { connectGraph } from "../display/Graph";
import { byId } from "../dom/Dom";
import { connectKeys, connectShortcuts } from "../review/Keys";
import type { Table } from "./Table";

type Act = (table: Table) => unknown;

const ask = (what: "resign" | "takeBack") => (table: Table) =>
  void import("./Asking").then((asking) => asking[what](table));

/** What a press of each button does, by its id. */
const PRESSED: Readonly<Record<string, Act>> = {
  pause: ({ opponent, now }) => opponent.pause(!now.isPaused),
  "one-move": ({ opponent }) => opponent.step(),
  "ask-again": ({ opponent }) => opponent.askAgain(),
  undo: (table) => (table.now.session.isUndoAsked ? ask("takeBack")(table) : table.undo()),
  resign: ask("resign"),
  hint: ({ help }) => help.hint(),
  estimate: ({ help }) => help.estimate(),
  agree: ({ scoring }) => scoring.agree(),
  "play-on": (table) => table.playOn(),
  pass: (table) => table.pass(),
  stop: ({ stage }) => stage.setup.client.stop(),
  "mode-play": ({ review }) => review.replay(false),
  "mode-replay": ({ review }) => review.replay(true),
  first: ({ review }) => review.showAt(0),
  back: ({ review }) => review.step(-1),
  forward: ({ review }) => review.step(1),
  end: ({ review }) => review.showAt(Infinity),
  analyse: ({ review }) => review.analyse(),
  "analysis-stop": ({ review }) => review.stopAnalysis(),
  "next-mistake": ({ review }) => review.showNextMistake(),
  live: ({ review }) => review.watch(),
  retry: ({ review }) => review.retry(),
  "take-back": ({ review }) => review.takeBack(),
  "to-game": ({ review }) => review.toGame(),
  "play-from-here": ({ review }) => review.playFromHere(),
};

const CHANGED: Readonly<Record<string, Act>> = {
  strength: ({ stage, opponent }) => {
    stage.retell();
    opponent.rethink();
  },
  heat: ({ help }) => help.heatChanged(),
};

/** Have them act on the table that is there; `more` are acts of the page's. */
export function connectButtons(tableNow: () => Table | null, more: Readonly<Record<string, Act>>): void {
  const connect = (event: string, acts: Readonly<Record<string, Act>>): void => {
    for (const [id, act] of Object.entries(acts))
      byId(id).addEventListener(event, () => {
        const table = tableNow();
        if (table) void act(table);
      });
  };
  connect("click", { ...PRESSED, ...more });
  connect("change", CHANGED);
  connectGraph(byId("ply"), (place) => tableNow()?.review.showPart(place));
  connectGraph(byId("graph"), (place) => tableNow()?.review.showInGraph(place));
  connectKeys((moves) => tableNow()?.review.stepByKey(moves) ?? false);
  connectShortcuts({ u: byId("undo"), h: byId("hint") });
  document.addEventListener("visibilitychange", () => tableNow()?.opponent.attend(!document.hidden));
}
