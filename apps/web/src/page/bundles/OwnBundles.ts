/** The bundles that a person has opened from this computer, each with a button that removes it: in the opener's dialog. */

import { megabytes } from "../../bundle/given/StoredBundles";
import type { Entry } from "../../bundle/Index";
import { number, say } from "../../texts/Speech";
import { button, byId, element } from "../dom/Dom";
import { titleOf } from "../words/Words";

export function listOwn(entries: readonly Entry[], remove: (entry: Entry) => void): void {
  const own = entries.filter(({ isGiven }) => isGiven);
  byId("own").hidden = own.length === 0;
  byId("own-list").replaceChildren(...own.map((entry) => item(entry, remove)));
}

function item(entry: Entry, remove: (entry: Entry) => void): HTMLElement {
  const title = titleOf(entry);
  const ask = async (): Promise<void> => {
    const [yes, no] = [say("remove_bundle"), say("cancel")];
    const { isSure } = await import("../dom/Question");
    if (!(await isSure({ title: yes, about: say("remove_ask", title), yes, no, suggested: "no" }))) return;
    byId<HTMLDialogElement>("opener").close();
    remove(entry);
  };
  const removal = button({ "aria-label": say("remove_label", title) }, ask, say("remove_bundle"));
  const size = number(megabytes(entry.files.reduce((sum, file) => sum + file.size, 0)));
  const what = entry.isKept ? say("own_kept", title, size) : say("own_unkept", title, size);
  return element("div", { class: "row", role: "listitem" }, element("span", {}, what), removal);
}
