/** One of several, as radio buttons that look like chips: made where a part of the page comes later. */

import { element } from "./Dom";

/** A choice `id` of what its `children` offer. */
export const choice = (id: string, title: string, ...children: readonly HTMLElement[]): HTMLElement =>
  element("fieldset", { id, class: "choice" }, element("legend", {}, title), ...children);

/** One of them; a screen reader says `label` in place of a text that says too little. */
export function radio(
  id: string,
  value: string,
  text: string,
  isChosen: boolean,
  label: string | null = null,
): HTMLElement {
  const input = element("input", { type: "radio", name: id, value, "aria-label": label });
  input.checked = isChosen;
  return element("label", {}, input, element("span", { "aria-hidden": label ? "true" : null }, text));
}

/** The choice `id` of values and their texts; the first one is chosen where `chosen` is none of them. */
export function radios(
  id: string,
  title: string,
  options: readonly (readonly [string, string])[],
  chosen: string | null = null,
): HTMLElement {
  const isThere = options.some(([value]) => value === chosen);
  const isChosen = (value: string, at: number): boolean => (isThere ? value === chosen : at === 0);
  return choice(id, title, ...options.map(([value, text], at) => radio(id, value, text, isChosen(value, at))));
}
