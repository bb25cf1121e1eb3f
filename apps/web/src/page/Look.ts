/** The language and the colours of the page: those of the browser and the system, or what a person has chosen. */

import { LANGUAGES, languageFor, speak } from "../texts/Speech";
import { byId } from "./Dom";

const THEMES = ["light", "dark"] as const;

/** Take what the controls say, now and whenever they change; `changed` says again what is on the page. */
export function connectLook(changed: () => void): void {
  const [language, theme] = [byId<HTMLSelectElement>("language"), byId<HTMLSelectElement>("theme")];
  const take = (): void => {
    speak(LANGUAGES.find((each) => each === language.value) ?? languageFor(navigator.languages));
    changed();
  };
  language.addEventListener("change", take);
  // A browser whose language is changed tells its pages.
  addEventListener("languagechange", take);
  theme.addEventListener("change", () => colour(theme.value));
  colour(theme.value);
  take();
}

/** The style sheet has the colours: it takes the system's where the page names none. */
function colour(chosen: string): void {
  const theme = THEMES.find((each) => each === chosen);
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}
