/**
 * On a phone what stands below the board, or beside it, is a sheet with tabs: moves, analysis, game. The board and what
 * is done next stay in sight. Loaded where the screen is that small; on a larger one everything stands where it stood.
 */

import { type Said, say } from "../../texts/Speech";
import { button, byId, element, set } from "../dom/Dom";
import { tell } from "../dom/Labels";
import "texts:sheet";
import "./sheet.css";

/** What belongs to each tab, in the order in which it stands there. */
const TABS: Readonly<Record<string, readonly string[]>> = {
  moves: ["replay", "modes", "comment", "branches", "set-up", "move-list"],
  analysis: ["review", "estimate", "candidates", "thought", "graph-part"],
  game: ["series", "told", "left-out", "doubt", "resign", "pace", "records"],
};
const NAMES: Readonly<Record<string, Said>> = {
  moves: () => say("sheet_moves"),
  analysis: () => say("sheet_analysis"),
  game: () => say("game"),
};

const tabId = (name: string): string => `tab-${name}`;
const paneId = (name: string): string => `pane-${name}`;

export class Sheet {
  /** Where each thing has stood before. */
  private places: readonly (readonly [HTMLElement, Comment])[] = [];
  private readonly aside = document.querySelector("#play > aside") as HTMLElement;
  private readonly tabs = element("div", { id: "tabs", role: "tablist", "aria-label": say("game") });
  private readonly panes: readonly HTMLElement[];
  /** Opens the tab in which something new is shown. */
  private readonly watch = new MutationObserver((changes) => {
    const shown = changes.map(({ target }) => target as HTMLElement).filter(({ hidden }) => !hidden);
    if (shown.some(({ id }) => id === "replay")) this.choose("moves");
    if (shown.some(({ id }) => id === "candidates" || id === "result")) this.choose("analysis");
    if (shown.some(({ id }) => id === "doubt")) this.choose("game");
  });

  constructor() {
    const names = Object.keys(TABS);
    this.panes = names.map((name) =>
      element("div", {
        id: paneId(name),
        class: "pane",
        role: "tabpanel",
        "aria-labelledby": tabId(name),
        tabindex: 0,
      }),
    );
    this.tabs.append(...names.map((name) => this.tab(name)));
    this.tabs.addEventListener("keydown", (event) => this.walk(event));
  }

  /** Lay out the sheet, or put everything back where it stood. */
  lay(isWanted: boolean): void {
    if (isWanted === this.tabs.isConnected) return;
    document.body.classList.toggle("has-sheet", isWanted);
    if (isWanted) this.open();
    else this.close();
  }

  private open(): void {
    this.aside.append(this.tabs, ...this.panes);
    this.places = Object.values(TABS).flatMap((ids, at) =>
      ids.flatMap((id) => {
        const moved = document.getElementById(id);
        if (!moved) return [];
        const place = document.createComment(id);
        moved.replaceWith(place);
        this.panes[at]?.append(moved);
        return [[moved, place] as const];
      }),
    );
    for (const name of Object.keys(TABS)) tell(tabId(name), NAMES[name] ?? null);
    for (const id of ["replay", "candidates", "doubt", "result"])
      this.watch.observe(byId(id), { attributeFilter: ["hidden"] });
    this.choose(!byId("doubt").hidden ? "game" : byId("candidates").hidden ? "moves" : "analysis");
  }

  private close(): void {
    this.watch.disconnect();
    for (const [moved, place] of this.places) place.replaceWith(moved);
    // What was added to a tab since.
    for (const pane of this.panes) this.aside.prepend(...pane.children);
    for (const each of [this.tabs, ...this.panes]) each.remove();
  }

  private tab(name: string): HTMLElement {
    return button({ id: tabId(name), role: "tab", "aria-controls": paneId(name) }, () => this.choose(name));
  }

  private choose(chosen: string): void {
    for (const [at, name] of Object.keys(TABS).entries()) {
      const isChosen = name === chosen;
      set(byId(tabId(name)), { "aria-selected": String(isChosen), tabindex: isChosen ? 0 : -1 });
      (this.panes[at] as HTMLElement).hidden = !isChosen;
    }
  }

  /** The arrow keys go from tab to tab. */
  private walk(event: KeyboardEvent): void {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const names = Object.keys(TABS);
    const at = names.findIndex((name) => byId(tabId(name)) === document.activeElement);
    const next = names[(at + step + names.length) % names.length] as string;
    this.choose(next);
    byId(tabId(next)).focus();
  }
}
