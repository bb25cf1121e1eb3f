/** Small helpers for elements. */

type Attributes = Readonly<Record<string, string | number | boolean | null>>;

/** An element with attributes (true: present, false and null: absent) and children. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  set(made, attributes);
  made.append(...children);
  return made;
}

/** A button that does something at a press. */
export function button(
  attributes: Attributes,
  press: (event: MouseEvent) => unknown,
  ...children: (Node | string)[]
): HTMLButtonElement {
  const made = element("button", { type: "button", ...attributes }, ...children);
  made.addEventListener("click", press);
  return made;
}

/** An element of SVG, likewise. */
export function svg(tag: string, attributes: Attributes = {}, ...children: Node[]): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set(made, attributes);
  made.append(...children);
  return made;
}

export function set(target: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false) target.removeAttribute(name);
    else target.setAttribute(name, value === true ? "" : String(value));
  }
}

/** The element of index.html with this id. */
export function byId<Kind extends Element = HTMLElement>(id: string): Kind {
  const target = document.getElementById(id);
  if (!target) throw new Error(`index.html has no element '${id}', this is a bug.`);
  return target as unknown as Kind;
}

/** Set the text of an element if it differs: a screen reader speaks every change. */
export function put(target: Element, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}
