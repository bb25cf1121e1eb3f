/**
 * Which packages by other people are in the built page: held to release/parts.json, so that the notices beside the page
 * (public/notices.txt) name what is really there. `dist/parts.json` says it file by file.
 */

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

interface PartsList {
  readonly allowed: readonly string[];
  readonly parts: readonly { readonly name: string; readonly licence: string; readonly in?: readonly string[] }[];
}

interface Output {
  readonly fileName: string;
  readonly modules?: Readonly<Record<string, { readonly renderedLength: number }>>;
}

const PACKAGE = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/;
/** What the build itself adds. */
const OWN = [
  [/^\0?rolldown\//, "rolldown"],
  [/^\0?vite\//, "vite"],
] as const;

/** The package that a module or an asset is of, with its folder; null for azx' own. */
export function packageOf(id: string): { readonly name: string; readonly folder: string | null } | null {
  const [folder, name] = PACKAGE.exec(id) ?? [];
  if (folder && name) return { name, folder: folder.replace(/^\0/, "") };
  const made = OWN.find(([pattern]) => pattern.test(id));
  return made ? { name: made[1], folder: null } : null;
}

const runtimesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true })
    .map((path) => join(folder, String(path)))
    .filter((path) => path.endsWith(".wasm"));

/** What is wrong with a page that has these packages, by name with the licence that each states; empty if nothing is. */
export function faultsOf(
  found: ReadonlyMap<string, string | null>,
  { allowed, parts }: PartsList,
  product: string,
): readonly string[] {
  const listed = new Map(parts.filter((part) => part.in?.includes(product)).map((part) => [part.name, part.licence]));
  const faults = [...found].flatMap(([name, stated]) => {
    const licence = listed.get(name);
    if (!licence) return [`${name} is in it, and release/parts.json does not list it for ${product}`];
    if (stated !== null && stated !== licence)
      return [`${name} is under ${stated}, and release/parts.json says ${licence}`];
    return allowed.includes(licence) ? [] : [`${name} is under ${licence}, which release/parts.json does not allow`];
  });
  const gone = [...listed.keys()].filter((name) => !found.has(name));
  return [...faults, ...gone.map((name) => `${name} is listed in release/parts.json for ${product}, and is not in it`)];
}

/** The plugin of the page, and of its workers, which are built apart: both note what they find in one place. */
export function accountForParts(
  product: string,
  list: string,
): { readonly page: () => Plugin; readonly worker: () => Plugin } {
  const files = new Map<string, Set<string>>();
  const folders = new Map<string, string | null>();
  const note = (outputs: readonly Output[]): void => {
    for (const { fileName, modules = {} } of outputs) {
      for (const { name, folder } of Object.keys(modules).flatMap((id) => packageOf(id) ?? [])) {
        files.set(fileName, (files.get(fileName) ?? new Set()).add(name));
        folders.set(name, folder ?? folders.get(name) ?? null);
      }
    }
  };
  // A worker's build names its assets by their content alone.
  const noteRuntimes = (dir: string): void => {
    const known = [...folders].flatMap(([name, folder]) =>
      folder ? runtimesIn(folder).map((path) => [path, name]) : [],
    );
    for (const fileName of readdirSync(dir, { recursive: true }).map(String)) {
      if (!fileName.endsWith(".wasm")) continue;
      const bytes = readFileSync(join(dir, fileName));
      const [, owner] = known.find(([path = ""]) => readFileSync(path).equals(bytes)) ?? [];
      if (!owner) throw new Error(`Nobody knows which package '${fileName}' is of: parts.ts has to account for it.`);
      files.set(fileName.replaceAll("\\", "/"), new Set([owner]));
    }
  };
  const stated = (folder: string | null): string | null =>
    folder ? JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).license : null;
  const noting: Plugin = {
    name: "account-for-parts-of-worker",
    apply: "build",
    generateBundle: (_, bundle) => note(Object.values(bundle) as readonly Output[]),
  };
  return {
    worker: () => noting,
    page: () => ({
      ...noting,
      name: "account-for-parts",
      writeBundle({ dir }) {
        if (dir) noteRuntimes(dir);
        const found = new Map([...folders].map(([name, folder]) => [name, stated(folder)]));
        const faults = faultsOf(found, JSON.parse(readFileSync(list, "utf8")), product);
        if (faults.length) this.error(`The licences of what is built do not fit: ${faults.join("; ")}.`);
        const named = [...files].sort(([a], [b]) => (a < b ? -1 : 1)).map(([file, names]) => [file, [...names].sort()]);
        if (dir) writeFileSync(join(dir, "parts.json"), `${JSON.stringify(Object.fromEntries(named), null, 1)}\n`);
      },
    }),
  };
}
