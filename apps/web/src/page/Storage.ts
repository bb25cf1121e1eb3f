/** What the browser remembers of this page by a name; nothing where it forbids that. */

export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(`azx ${name}`);
  } catch {
    return null;
  }
}

/** Remember `value`; null forgets. */
export function store(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`azx ${name}`);
    else localStorage.setItem(`azx ${name}`, value);
  } catch {
    return;
  }
}
