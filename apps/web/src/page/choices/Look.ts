/** The language and the colours of the page: those of the browser and the system, or what a person has chosen. */

import { isLearnt, LANGUAGES, type Language, languageFor, learn, speak } from "../../texts/Speech";
import { byId } from "../dom/Dom";
import { chosen } from "./Controls";

const THEMES = ["light", "dark"] as const;

/**
 * Take what the controls say, now and whenever they change; `changed` says again what is on the page. Resolved once the
 * page speaks the language that is wanted, or English where its texts do not come.
 */
export async function connectLook(changed: () => void): Promise<void> {
  const [language, theme] = [byId("language"), byId("theme")];
  const wanted = (): Language =>
    LANGUAGES.find((each) => each === chosen("language")) ?? languageFor(navigator.languages);
  const take = async (): Promise<void> => {
    const target = wanted();
    if (!isLearnt(target)) await learn(target).catch(() => undefined);
    // Meanwhile another one may have been chosen.
    if (target !== wanted()) return;
    speak(isLearnt(target) ? target : "en");
    changed();
  };
  language.addEventListener("change", () => void take());
  // A browser whose language is changed tells its pages.
  addEventListener("languagechange", () => void take());
  theme.addEventListener("change", () => colour(chosen("theme")));
  colour(chosen("theme"));
  const isForced = matchMedia("(forced-colors: active)");
  const force = async (): Promise<void> => {
    if (isForced.matches) await import("../forced.css");
  };
  isForced.addEventListener("change", () => void force());
  await Promise.all([take(), force()]);
}

/** The style sheet has the colours: it takes the system's where the page names none. */
function colour(chosen: string): void {
  const theme = THEMES.find((each) => each === chosen);
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}
