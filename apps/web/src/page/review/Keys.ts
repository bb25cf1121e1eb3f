/** The keys by which a person goes through a game. */

/** How far each key goes, in moves. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  Home: -Infinity,
  End: Infinity,
};

/** Where keys have a meaning of their own, as on a board's points and in a field. */
const TAKEN = "input, select, textarea, dialog[open], [contenteditable]";

/** Let the arrow keys, Home and End go through a game wherever nothing else has heard them; `step` says whether it did. */
export function connectKeys(step: (moves: number) => boolean): void {
  document.addEventListener("keydown", (event) => {
    const moves = STEPS[event.key];
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
    if (moves === undefined || !isPlain || event.defaultPrevented) return;
    if (event.target instanceof Element && event.target.closest(TAKEN)) return;
    if (step(moves)) event.preventDefault();
  });
}
