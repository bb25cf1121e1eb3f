/** How much of a network has come, while it is waited for. */

import { percent, say } from "../texts/Speech";
import type { Loading } from "../worker/Messages";
import { byId, say as put } from "./Dom";
import type { Said } from "./Words";

let shown: Said = () => "";

/** Say how far the network called `title` is: it comes, or it has come and is made ready. */
export function showLoading(title: Said, { received, total }: Loading): void {
  const share = total ? Math.min(received / total, 1) : 1;
  byId("loading").hidden = false;
  byId<HTMLProgressElement>("loading-bar").value = share;
  // A network of which a byte is missing is not there.
  const part = Math.floor(100 * share) / 100;
  shown = () => (share < 1 ? say("loading", title(), percent(part)) : say("opening"));
  retellLoading();
}

export function hideLoading(): void {
  byId("loading").hidden = true;
  shown = () => "";
  retellLoading();
}

/** Say it again, in another language. */
export function retellLoading(): void {
  put(byId("loading-text"), shown());
}
