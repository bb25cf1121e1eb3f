/** How much of a network is loaded, while the page waits for it. */

import { percent, type Said, say } from "../../texts/Speech";
import type { Loading } from "../../worker/Messages";
import { byId } from "./Dom";
import { tell } from "./Labels";

/** Say how far the network called `title` is: loading, or loaded and being prepared. */
export function showLoading(title: Said, { received, total }: Loading): void {
  const share = total ? Math.min(received / total, 1) : 1;
  byId("loading").hidden = false;
  byId<HTMLProgressElement>("loading-bar").value = share;
  // A network of which a byte is missing is not there.
  const part = Math.floor(100 * share) / 100;
  tell("loading-text", () => (share < 1 ? say("loading", title(), percent(part)) : say("opening")));
}

export function hideLoading(): void {
  byId("loading").hidden = true;
  tell("loading-text", null);
}
