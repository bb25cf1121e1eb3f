/** What is said of a game beside its status; it stays until the person's next move. */

import type { Said } from "../../texts/Speech";
import { byId, put } from "./Dom";

const KINDS = ["begins", "passes", "refused", "scoring", "hint"] as const;
type NoticeKind = (typeof KINDS)[number];

/** One sentence of each kind at most. */
export type Notices = Readonly<Partial<Record<NoticeKind, Said>>>;

export function textOf(notices: Notices): string {
  return KINDS.flatMap((kind) => notices[kind]?.() ?? []).join(" ");
}

/** Show them, where a screen reader hears of it. */
export function showNotices(notices: Notices): void {
  put(byId("notice"), textOf(notices));
}
