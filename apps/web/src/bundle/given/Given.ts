/** A bundle that a person gives to the page: its folder, or a .zip of it, checked. */

import { GAMES } from "../../engine/known/Catalogue";
import { BundleError, reasonOf, sentence } from "../../texts/Sentence";
import { json, modelIn } from "../Bundle";
import { lookAtGraph } from "../door/GraphDoor";
import { type Entry, type FileEntry, isInside } from "../Index";
import { liteIn } from "../Lite";
import { fileOf, type Manifest, manifestFrom, webArtifact } from "../Manifest";
import { GOLDEN, MANIFEST } from "../Needed";
import { whyNot } from "../Playable";
import { check, checkSize, GIVEN, type Read, sha256, sha256OfStream } from "../Store";
import { EXPORTED, foreignAmong, foreignFile } from "./Foreign";
import { freeName } from "./StoredBundles";
import { isZip, type Member, MOST_MEMBERS, membersOf } from "./Zip";

/** A file of a folder that was given, with the path below that folder's parent; or a .zip, alone. */
export interface GivenFile {
  readonly path: string;
  readonly blob: Blob;
}

/** A given bundle as an entry of the list that is not kept yet, with its files, which are checked and not in memory. */
export interface CheckedBundle {
  readonly entry: Entry;
  readonly files: ReadonlyMap<string, Member>;
  /** What was given beside the bundle's files, by path: nothing knows its hash, and it was not opened. */
  readonly unlisted: readonly string[];
}

// Of all its files together; and of its manifest, which takes up to twenty times that in memory.
const MOST_BYTES = 300e6;
const MOST_MANIFEST_BYTES = 4e6;
// Of what describes a network, without its weights.
const MOST_MODEL_BYTES = 64 * 2 ** 20;

// What azx writes beside what the manifest lists, and this app reads nothing of; and what systems leave in folders.
const BESIDE = [MANIFEST, "files.json", "parity.json", "report.html"];
const LEFT_BY_SYSTEMS = /(^|\/)(__MACOSX\/.*|\.DS_Store|\._[^/]*|Thumbs\.db|desktop\.ini)$/;

/** The bundle that `given` holds, by a name that none of `names` is. Error with a sentence if it is not sound. */
export async function take(given: readonly GivenFile[], names: readonly string[]): Promise<CheckedBundle> {
  const what = given[0]?.path.split("/")[0] ?? "";
  const members = await filesOf(given, what);
  checkPaths(members, what);
  const root = rootOf(members, what);
  const byPath = new Map(members.map((member) => [member.path, member]));
  const own = byPath.get(`${root}${MANIFEST}`);
  const about = await manifestBytes(own, what);
  const manifest = manifestFrom(json(about, what, MANIFEST), what);
  const wanted = await checkFiles(manifest, (path) => byPath.get(`${root}${path}`));
  await lookAt(manifest, wanted);
  if (own) wanted.set(MANIFEST, own);
  const listed = { path: MANIFEST, size: about.byteLength, sha256: await sha256(about) };
  const files = [listed, ...manifest.files.filter(({ path }) => wanted.has(path))];
  const entry = entryOf(manifest, freeName(manifest.name, names), files);
  return { entry, files: wanted, unlisted: unlistedAmong(members, root, manifest) };
}

function unlistedAmong(members: readonly Member[], root: string, { files }: Manifest): readonly string[] {
  const listed = new Set([...BESIDE, ...files.map(({ path }) => path)]);
  return members
    .map(({ path }) => (path.startsWith(root) ? path.slice(root.length) : path))
    .filter((path) => !listed.has(path) && !LEFT_BY_SYSTEMS.test(path));
}

/** The entry of a bundle that was given before, as this app judges it: an older one may have known of fewer games. */
export async function judgeAnew(entry: Entry, read: Read): Promise<Entry> {
  const about = entry.files.find(({ path }) => path === MANIFEST);
  if (!about) return entry;
  const manifest = manifestFrom(json(await read(MANIFEST, about), entry.name, MANIFEST), entry.name);
  return { ...entryOf(manifest, entry.name, entry.files), isKept: entry.isKept };
}

/** The files that were given, or those in the .zip that was. */
async function filesOf(given: readonly GivenFile[], what: string): Promise<readonly Member[]> {
  const [first, ...others] = given;
  if (!first) throw new BundleError(sentence("given_nothing"));
  if (others.length === 0 && !first.path.includes("/")) {
    const foreign = await foreignFile(first.path, first.blob);
    if (foreign) throw new BundleError(foreign);
    if (first.blob.size > MOST_BYTES) throw tooLarge(what);
    if (first.path !== MANIFEST || (await isZip(first.blob))) return membersOf(first.blob, what);
  }
  if (given.length > MOST_MEMBERS) throw new BundleError(sentence("given_too_many", what, MOST_MEMBERS));
  return given.map(({ path, blob }) => ({ path, size: blob.size, stream: async () => blob.stream() }));
}

/** Error with a sentence if a path leads out of the bundle, or stands there twice. */
function checkPaths(members: readonly Member[], what: string): void {
  const outside = members.find(({ path }) => !isInside(path));
  if (outside) throw new BundleError(sentence("given_outside", what, outside.path));
  const paths = new Set<string>();
  for (const { path } of members) {
    if (paths.has(path)) throw new BundleError(sentence("given_twice", what, path));
    paths.add(path);
  }
}

/** What the paths of the bundle begin with: "" or a folder with "/" behind it. */
function rootOf(members: readonly Member[], what: string): string {
  const roots = members
    .map(({ path }) => path)
    .filter((path) => path === MANIFEST || path.endsWith(`/${MANIFEST}`))
    .map((path) => path.slice(0, -MANIFEST.length));
  const depth = (root: string): number => root.split("/").length;
  const least = Math.min(...roots.map(depth));
  const [root, ...others] = roots.filter((each) => depth(each) === least);
  if (root === undefined) throw new BundleError(foreignAmong(members, what) ?? sentence("given_no_manifest", what));
  if (others.length) throw new BundleError(sentence("given_several", what, others.length + 1));
  return root;
}

/**
 * Those files that this app reads, by path, each with the size and the hash that the manifest says.
 *
 * The artifact and golden.json have to be there, what LiteRT.js runs may be. Other formats' files may have been left out,
 * as `azx install` does; those that are there are checked like the rest, and forgotten.
 */
async function checkFiles(
  manifest: Manifest,
  find: (path: string) => Member | undefined,
): Promise<Map<string, Member>> {
  const { name } = manifest;
  const folder = webArtifact(manifest, name);
  const lite = new Set(liteIn(manifest).map(({ path }) => path));
  const wanted = new Map<string, Member>();
  const listed = manifest.files.map((file) => ({ file, member: find(file.path) }));
  if (listed.reduce((sum, { file, member }) => sum + (member ? file.size : 0), 0) > MOST_BYTES) throw tooLarge(name);
  for (const { file, member } of listed) {
    const isNeeded = file.path === GOLDEN || file.path.startsWith(`${folder}/`);
    if (!member && isNeeded) throw new BundleError(sentence("given_missing", name, file.path));
    if (!member) continue;
    checkSize(member.size, file, name, GIVEN);
    const hash = await read(member, name, sha256OfStream);
    if (hash !== file.sha256) throw new BundleError(sentence(GIVEN.hash, name, file.path));
    if (isNeeded || lite.has(file.path)) wanted.set(file.path, member);
  }
  return wanted;
}

/** Error with a sentence if the network that plays is unsafe: such a bundle is not kept. Its weights are not read yet. */
async function lookAt(manifest: Manifest, kept: ReadonlyMap<string, Member>): Promise<void> {
  const { name } = manifest;
  const folder = webArtifact(manifest, name);
  const path = `${folder}/model.json`;
  const member = kept.get(path);
  if (!member) throw new BundleError(sentence("given_missing", name, path));
  if (member.size > MOST_MODEL_BYTES) throw new BundleError(sentence("error_too_large", name, path));
  const model = modelIn(await bytesOf(member, name), name, path);
  const paths = model.weightsManifest.flatMap((group) => group.paths);
  const lengths = paths.map((each) => fileOf(manifest, `${folder}/${each}`, name).size);
  lookAtGraph(manifest, { model, weights: null, lengths });
}

/** The bytes of the manifest; Error with a sentence if there are too many. */
async function manifestBytes(member: Member | undefined, name: string): Promise<ArrayBuffer> {
  if (!member) throw new BundleError(sentence("given_missing", name, MANIFEST));
  if (member.size <= MOST_MANIFEST_BYTES) return bytesOf(member, name);
  const [size, most] = [megabytes(member.size), megabytes(MOST_MANIFEST_BYTES)];
  throw new BundleError(sentence("given_json_too_large", name, MANIFEST, size, most));
}

function bytesOf(member: Member, name: string): Promise<ArrayBuffer> {
  return read(member, name, async (stream) => {
    const bytes = new Uint8Array(member.size);
    const reader = stream.getReader();
    for (let at = 0, piece = await reader.read(); !piece.done; piece = await reader.read()) {
      bytes.set(piece.value, at);
      at += piece.value.length;
    }
    return bytes.buffer;
  });
}

/** What `use` makes of a member's bytes. One may have gone, or a folder stand in its place, since it was dropped. */
async function read<Made>(
  member: Member,
  name: string,
  use: (stream: ReadableStream<Uint8Array>) => Promise<Made>,
): Promise<Made> {
  try {
    return await use(await member.stream());
  } catch (error) {
    if (error instanceof BundleError) throw error;
    throw new BundleError(sentence("given_unreadable", name, member.path, reasonOf(error)), { cause: error });
  }
}

function entryOf(manifest: Manifest, name: string, files: readonly FileEntry[]): Entry {
  const { recommended, game, settings = null } = manifest;
  const [artifact, problems] = [recommended.web ?? null, whyNot(manifest)];
  const title = titleOf(manifest, name);
  return { name, title, game, settings, artifact, format: "tfjs", files, problems, isGiven: true, isKept: false };
}

/** The game's title, and the bundle's name where it says more than that: as `azx install` has it. */
function titleOf({ name: own, game }: Manifest, name: string): string {
  const title = GAMES.get(game ?? "")?.title;
  if (!title) return name || "bundle";
  return own === game ? title : `${title} (${own})`;
}

/** How the files of a bundle that was taken are read, each checked again: what was given may change. */
export function readerOf(files: ReadonlyMap<string, Member>, name: string): Read {
  return async (path, file) => {
    const member = files.get(path);
    if (!member) throw new BundleError(sentence("given_missing", name, path));
    const bytes = await bytesOf(member, name);
    await check(bytes, file, name, GIVEN);
    return bytes;
  };
}

function tooLarge(what: string): BundleError {
  return new BundleError(sentence("given_too_large", what, megabytes(MOST_BYTES), EXPORTED));
}

const megabytes = (bytes: number): number => Math.ceil(bytes / 1e6);
