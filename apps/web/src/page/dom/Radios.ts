/** One of several, as radio buttons that look like chips: made where a part of the page comes later. */

import { element } from "./Dom";

/** The choice `id` of values and their texts; the first one is chosen where `chosen` is none of them. */
export function radios(
  id: string,
  title: string,
  options: readonly (readonly [string, string])[],
  chosen: string | null = null,
): HTMLElement {
  const isThere = options.some(([value]) => value === chosen);
  const labels = options.map(([value, text], at) => {
    const input = element("input", { type: "radio", name: id, value });
    input.checked = isThere ? value === chosen : at === 0;
    return element("label", {}, input, element("span", {}, text));
  });
  return element("fieldset", { id, class: "choice" }, element("legend", {}, title), ...labels);
}
