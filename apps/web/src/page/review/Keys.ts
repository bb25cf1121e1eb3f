/** The keys by which a person goes through a game, and presses buttons that stand elsewhere. */

/** How far each key goes, in moves. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  Home: -Infinity,
  End: Infinity,
};

/** Where keys have a meaning of their own, as on a board's points and in a field. */
const TAKEN = "input:not([type=checkbox]), select, textarea, [contenteditable]";

/** Let the arrow keys, Home and End go through a game wherever nothing else has heard them; `step` says whether it did. */
export function connectKeys(step: (moves: number) => boolean): void {
  document.addEventListener("keydown", (event) => {
    const moves = STEPS[event.key];
    if (moves === undefined || !isFree(event)) return;
    if (step(moves)) event.preventDefault();
  });
}

/** Let a letter press its button wherever that is offered and nothing else has heard the key. */
export function connectShortcuts(buttons: Readonly<Record<string, HTMLElement>>): void {
  document.addEventListener("keydown", (event) => {
    const button = buttons[event.key.toLowerCase()];
    if (!button || event.repeat || !isFree(event) || !button.checkVisibility()) return;
    event.preventDefault();
    button.click();
  });
}

/** Whether nothing else has heard a key: a field, a dialog, a combination of the browser's own. */
function isFree(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.defaultPrevented) return false;
  if (document.querySelector("dialog[open]")) return false;
  return !(event.target instanceof Element && event.target.closest(TAKEN));
}
