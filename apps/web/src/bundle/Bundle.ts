/** A bundle that has been read and checked: its manifest, the network's files, the positions of the self-test. */

import type { Reading } from "../engine/Game";
import { fromManifest } from "../engine/Recognition";
import type { ValueHead } from "../engine/ValueHead";
import type { FileEntry } from "./Index";
import { fileOf, type Golden, type Manifest, manifestFrom, policyWidth, valueHeadOf, webArtifact } from "./Manifest";
import type { Read } from "./Store";

/** A TF.js graph model's files: model.json, and the weights one after the other. */
export interface Graph {
  readonly model: ModelJson;
  readonly weights: ArrayBuffer;
}

export interface ModelJson {
  readonly modelTopology: object;
  readonly signature?: object;
  readonly weightsManifest: readonly { readonly paths: readonly string[]; readonly weights: readonly object[] }[];
}

export class Bundle {
  private constructor(
    readonly where: string,
    readonly manifest: Manifest,
    readonly reading: Reading,
    /** How the network's value is read; null without one. */
    readonly valueHead: ValueHead | null,
    private readonly read: Read,
  ) {}

  /** The bundle whose manifest.json the index describes as `entry`. Error with a sentence where it cannot be played. */
  static async open(name: string, entry: FileEntry, read: Read): Promise<Bundle> {
    const where = `Bundle '${name}'`;
    const manifest = manifestFrom(json(await read("manifest.json", entry), where, "manifest.json"), where);
    const reading = named(where, () => fromManifest(manifest, policyWidth(manifest)));
    return new Bundle(
      where,
      manifest,
      reading,
      named(where, () => valueHeadOf(manifest)),
      read,
    );
  }

  /** The network's files, each checked against the manifest. */
  async graph(): Promise<Graph> {
    const folder = webArtifact(this.manifest, this.where);
    const model = (await this.json(`${folder}/model.json`)) as ModelJson;
    const paths = model.weightsManifest.flatMap((group) => group.paths);
    const parts = await Promise.all(paths.map((path) => this.file(`${folder}/${path}`)));
    return { model, weights: joined(parts) };
  }

  /** The positions of golden.json. */
  async golden(): Promise<readonly Golden[]> {
    const { positions } = (await this.json("golden.json")) as { positions?: readonly Golden[] };
    if (!positions?.length) throw new Error(`${this.where}: golden.json has no positions: export the bundle again.`);
    return positions;
  }

  private async json(path: string): Promise<unknown> {
    return json(await this.file(path), this.where, path);
  }

  private file(path: string): Promise<ArrayBuffer> {
    return this.read(path, fileOf(this.manifest, path, this.where));
  }
}

/** What `read` tells; the Error that it ends with names the bundle. */
function named<Found>(where: string, read: () => Found): Found {
  try {
    return read();
  } catch (error) {
    throw new Error(`${where}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function json(bytes: ArrayBuffer, where: string, path: string): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new Error(`${where}: '${path}' is no JSON: export the bundle again.`);
  }
}

function joined(parts: readonly ArrayBuffer[]): ArrayBuffer {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(new Uint8Array(part), at);
    at += part.byteLength;
  }
  return whole.buffer;
}
