/** The list of bundles: those that are installed, and those that a person has opened; what cannot be played is grey. */

import type { Entry } from "../bundle/Index";
import { say } from "../texts/Speech";
import { clause, clauses } from "../texts/Told";
import { byId, element } from "./Dom";
import { titleOf } from "./Words";

/** Put a button there for each bundle. */
export function list(entries: readonly Entry[], choose: (entry: Entry) => void): void {
  const buttons = entries.map((entry) => {
    const made = button(entry);
    made.addEventListener("click", () => choose(entry));
    return made;
  });
  byId("bundles").replaceChildren(...buttons);
}

function button(entry: Entry): HTMLButtonElement {
  const { name, problems, isGiven } = entry;
  const notes = [...(isGiven ? [say("opened_here")] : []), ...problems.map(clause)];
  const made = element(
    "button",
    {
      type: "button",
      id: `bundle-${name}`,
      "aria-pressed": "false",
      class: problems.length ? "unplayable" : null,
      title: problems.length ? say("cannot_play", clauses(problems)) : null,
    },
    element("span", {}, titleOf(entry)),
  );
  if (notes.length) made.append(element("small", {}, notes.join(" · ")));
  return made;
}

/** Mark a bundle as the one that is open, and have it on the screen. */
export function mark({ name }: Entry): void {
  const chosen = `bundle-${name}`;
  for (const each of byId("bundles").children) each.setAttribute("aria-pressed", String(each.id === chosen));
  document.getElementById(chosen)?.scrollIntoView({ block: "nearest", inline: "center" });
}
