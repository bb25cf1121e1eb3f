/** A bundle that has been read and checked: its manifest, the network's files, the positions of the self-test. */

import { membersOf } from "../engine/Data";
import type { Reading } from "../engine/Game";
import { GameError } from "../engine/GameError";
import { fromManifest } from "../engine/known/Recognition";
import { type SearchSettings, settingsFrom } from "../engine/SearchSettings";
import type { ValueHead } from "../engine/ValueHead";
import { BundleError, reasonOf, sentence } from "../texts/Sentence";
import { type Doubt, doubtOf, readOthers } from "./Assumed";
import type { FileEntry } from "./Index";
import { type Lite, liteIn, type PlayedNetwork, type Precision, type SmallNetwork, smallAt } from "./Lite";
import {
  areOutputsAssumed,
  fileOf,
  type Golden,
  goldenFrom,
  isOfGame,
  type Manifest,
  manifestFrom,
  policyWidth,
  valueHeadOf,
  webArtifact,
} from "./Manifest";
import { GOLDEN, MANIFEST } from "./Needed";
import { whyNot } from "./Playable";
import type { Problem } from "./Problem";
import type { Read } from "./Store";

// They have some hundred kilobytes.
const MOST_JSON_BYTES = 16 * 2 ** 20;

/** A TF.js graph model's files: model.json, and the weights one after the other. */
export interface Graph {
  readonly model: ModelJson;
  readonly weights: ArrayBuffer;
  /** How many bytes of them each file has, in the order of model.json. */
  readonly lengths: readonly number[];
}

export interface ModelJson {
  readonly modelTopology: object;
  readonly signature?: object;
  readonly weightsManifest: readonly { readonly paths: readonly string[]; readonly weights: readonly object[] }[];
}

/** How a bundle is played: what its network reads, how its value is read (null without one), how it is searched. */
export interface Playing {
  readonly reading: Reading;
  readonly valueHead: ValueHead | null;
  readonly search: SearchSettings;
}

export class Bundle {
  private constructor(
    readonly name: string,
    readonly manifest: Manifest,
    /** Why it cannot be played; empty if it can. */
    readonly problems: readonly Problem[],
    /** null if it cannot be played. */
    readonly playing: Playing | null,
    /** null if how it sees the board and what its outputs are is known, or it cannot be played. */
    readonly doubt: Doubt | null,
    /** What came along for LiteRT.js. */
    readonly lite: readonly Lite[],
    /** The TF.js network in a lower precision that plays in place of the recommended one; null if that plays. */
    readonly small: SmallNetwork | null,
    private readonly read: Read,
  ) {}

  /**
   * The bundle whose manifest.json is described by `entry`, of which the files called `paths` came along. `chosen` names
   * the reading that a person has chosen where the manifest's own is only assumed; `artifact` is the TF.js network that
   * plays, if it is one of the bundle's. Error with a sentence if it is none.
   */
  static async open(
    name: string,
    entry: FileEntry,
    read: Read,
    paths: readonly string[] = [],
    chosen: string | null = null,
    artifact: string | null = null,
  ): Promise<Bundle> {
    checkLength(entry, name);
    const manifest = manifestFrom(json(await read(MANIFEST, entry), name, MANIFEST), name);
    const problems = whyNot(manifest);
    const lite = liteIn(manifest).filter(({ path }) => paths.includes(path));
    const small = artifact === manifest.recommended.web ? null : smallAt(manifest, artifact);
    if (problems.length || !isOfGame(manifest))
      return new Bundle(name, manifest, problems, null, null, lite, small, read);
    const width = policyWidth(manifest);
    const own = fromManifest(manifest, width);
    const others = manifest.assumed ? readOthers(manifest.assumed, manifest, width, own) : null;
    const reading = others?.get(chosen ?? "") ?? own;
    const playing = { reading, valueHead: readableValue(manifest, name), search: settingsFrom(manifest.search) };
    const doubt = doubtOf(own, others, chosen, areOutputsAssumed(manifest));
    return new Bundle(name, manifest, problems, playing, doubt, lite, small, read);
  }

  /** What plays; of a bundle that is made for one precision alone, that. */
  get played(): PlayedNetwork {
    const path = webArtifact(this.manifest, this.name);
    return this.small ?? smallAt(this.manifest, path) ?? { path, precision: "fp32", limits: null };
  }

  /** The files of the network that plays, each checked against the manifest. */
  graph(): Promise<Graph> {
    return this.graphIn(this.played.path);
  }

  /** The files of the one in full precision, which the self-test holds to golden.json. */
  fullGraph(): Promise<Graph> {
    return this.graphIn(webArtifact(this.manifest, this.name));
  }

  private async graphIn(folder: string): Promise<Graph> {
    const model = modelIn(await this.file(`${folder}/model.json`), this.name, `${folder}/model.json`);
    const paths = model.weightsManifest.flatMap((group) => group.paths);
    const parts = await Promise.all(paths.map((path) => this.file(`${folder}/${path}`)));
    return { model, weights: joinParts(parts), lengths: parts.map(({ byteLength }) => byteLength) };
  }

  async liteFile(precision: Precision): Promise<ArrayBuffer> {
    const lite = this.lite.find((each) => each.precision === precision);
    if (!lite) throw new BundleError(sentence("error_no_lite", this.name, precision));
    return this.file(lite.path);
  }

  async golden(): Promise<readonly Golden[]> {
    checkLength(fileOf(this.manifest, GOLDEN, this.name), this.name);
    return goldenFrom(await this.json(GOLDEN), this.manifest, this.name);
  }

  private async json(path: string): Promise<unknown> {
    return json(await this.file(path), this.name, path);
  }

  private file(path: string): Promise<ArrayBuffer> {
    return this.read(path, fileOf(this.manifest, path, this.name));
  }
}

/** The graph model that a file describes; Error with a sentence if it describes none. */
export function modelIn(bytes: ArrayBuffer, name: string, path: string): ModelJson {
  const model = json(bytes, name, path);
  if (!isModel(model)) throw new BundleError(sentence("error_no_model", name, path));
  return model;
}

function isModel(data: unknown): data is ModelJson {
  const { modelTopology, weightsManifest } = membersOf(data);
  const isGroup = (group: unknown): boolean => {
    const { weights, paths } = membersOf(group);
    return Array.isArray(weights) && Array.isArray(paths) && paths.every((path) => typeof path === "string");
  };
  return typeof modelTopology === "object" && Array.isArray(weightsManifest) && weightsManifest.every(isGroup);
}

/** How the value is read; Error with a sentence that names the bundle where the manifest says what there is not. */
function readableValue(manifest: Manifest, name: string): ValueHead | null {
  try {
    return valueHeadOf(manifest);
  } catch (error) {
    if (!(error instanceof GameError)) throw error;
    throw new BundleError(sentence("error_value", name, reasonOf(error)), { cause: error });
  }
}

/** Error with a sentence if a file is far too large, before it is read: no other size would be let pass. */
function checkLength({ path, size }: FileEntry, name: string): void {
  if (size > MOST_JSON_BYTES) throw new BundleError(sentence("error_too_large", name, path));
}

/** The JSON in a file of a bundle; Error with a sentence if it is no JSON. */
export function json(bytes: ArrayBuffer, name: string, path: string): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new BundleError(sentence("error_json", name, path));
  }
}

function joinParts(parts: readonly ArrayBuffer[]): ArrayBuffer {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(new Uint8Array(part), at);
    at += part.byteLength;
  }
  return whole.buffer;
}
