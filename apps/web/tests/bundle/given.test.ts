/** Bundles that a person gives to the page: folders and .zip files, sound and bad ones. */

import { randomBytes } from "node:crypto";

import { describe, expect, it } from "vitest";

import { Bundle } from "../../src/bundle/Bundle";
import { type CheckedBundle, type GivenFile, readerOf, take } from "../../src/bundle/given/Given";
import { MOST_MEMBERS, membersOf } from "../../src/bundle/given/Zip";
import { inWords, wordsOf } from "../texts/words";
import { asJson, below, changeFile, type Files, hash, packZip, tiny, withManifest } from "./tiny";

const GOOD = tiny();
const MODEL = "tiny_tfjs/group1-shard1of1.bin";

const blob = (bytes: Buffer): Blob => new Blob([Uint8Array.from(bytes)]);
const folder = (files: Iterable<readonly [string, Buffer]>): GivenFile[] =>
  Array.from(files, ([path, bytes]) => ({ path, blob: blob(bytes) }));
const zip = (...given: Parameters<typeof packZip>): GivenFile[] => [
  { path: "tiny.zip", blob: blob(packZip(...given)) },
];
const takeGiven = (given: readonly GivenFile[], names: readonly string[] = []): Promise<CheckedBundle> =>
  take(given, names);

async function openGiven(given: readonly GivenFile[]): Promise<Bundle> {
  const { entry, files } = await takeGiven(given);
  const read = readerOf(files, entry.name);
  const manifest = entry.files.find(({ path }) => path === "manifest.json");
  if (!manifest) throw new Error("the manifest is not listed");
  return Bundle.open(entry.name, manifest, read);
}

describe("a bundle from this computer", () => {
  it.each([
    ["a folder", folder(below("tiny", GOOD))],
    ["a folder within a folder", folder(below("work/bundles/tiny", GOOD))],
    ["the files of a folder", folder(GOOD)],
    ["a .zip of a folder", zip(below("tiny", GOOD))],
    ["a .zip of the files", zip(GOOD)],
    ["a .zip that packs nothing", zip(GOOD, Object.fromEntries([...GOOD.keys()].map((path) => [path, { method: 0 }])))],
    [
      "a .zip whose members have times and owners before their bytes",
      zip(GOOD, Object.fromEntries([...GOOD.keys()].map((path) => [path, { extra: 28 }]))),
    ],
    [
      "a folder that also holds what others put there",
      folder([...below("tiny", GOOD), ["tiny/.DS_Store", Buffer.of(1)]]),
    ],
  ])("is read where it is %s", async (_, given) => {
    const { entry } = await takeGiven(given);
    expect(entry).toMatchObject({
      name: "tiny",
      title: "Tic-tac-toe (tiny)",
      game: "tictactoe",
      problems: [],
      isGiven: true,
    });
    const bundle = await openGiven(given);
    expect(new Uint8Array((await bundle.graph()).weights)).toHaveLength(8);
    expect(await bundle.golden()).toHaveLength(3);
  });

  it("may be a .zip with a comment, which fills the rest: what else stands behind it is none of it", async () => {
    const whole = packZip(GOOD);
    const said = (behind: string, length: number): GivenFile[] => {
      const bytes = Buffer.concat([whole, Buffer.from(behind, "latin1")]);
      bytes.writeUInt16LE(length, whole.length - 2);
      return [{ path: "tiny.zip", blob: blob(bytes) }];
    };
    // A comment may hold what looks like another end of a .zip.
    for (const comment of ["abc", `PK\x05\x06${"\0".repeat(18)}more`])
      expect((await takeGiven(said(comment, comment.length))).entry.name).toBe("tiny");
    for (const length of [0, 2, 4])
      await expect(inWords(takeGiven(said("abc", length)))).rejects.toThrow("'tiny.zip' is no .zip, or is cut short");
  });

  it("may come with the list of its measured files, and what nothing lists is named and not opened", async () => {
    const opened: string[] = [];
    const blobOf = (path: string, bytes: Uint8Array): Blob => {
      const blob = new Blob([Uint8Array.from(bytes)]);
      const stream = blob.stream.bind(blob);
      Object.assign(blob, { stream: () => opened.push(path) && stream() });
      return blob;
    };
    const more = ["files.json", "parity.json", "report.html", ".DS_Store", "evil.js", "tiny_tfjs/group2-shard1of1.bin"];
    const files = new Map([...tiny(), ...more.map((path) => [path, Buffer.from("{}")] as const)]);
    const given = [...files].map(([path, bytes]) => ({ path: `tiny/${path}`, blob: blobOf(path, bytes) }));
    const { unlisted, files: kept } = await takeGiven(given);
    expect(unlisted).toEqual(["evil.js", "tiny_tfjs/group2-shard1of1.bin"]);
    expect(opened.filter((path) => more.includes(path))).toEqual([]);
    expect([...kept.keys()].filter((path) => more.includes(path))).toEqual([]);
    expect(
      (await takeGiven([...tiny()].map(([path, bytes]) => ({ path: `tiny/${path}`, blob: blobOf(path, bytes) }))))
        .unlisted,
    ).toEqual([]);
  });

  it("may lack other formats' files, which an installed one has not, and those that are there are checked", async () => {
    const manifest = JSON.parse(String(GOOD.get("manifest.json"))) as { files: object[] };
    const other = { path: "tiny.onnx", sha256: hash(Buffer.from("net")), size: 3 };
    const files = withManifest(GOOD, { files: [...manifest.files, other] });
    expect((await takeGiven(folder(files))).entry.files.map(({ path }) => path)).not.toContain("tiny.onnx");
    await takeGiven(folder([...files, ["tiny.onnx", Buffer.from("net")]]));
    const changedFile = takeGiven(folder([...files, ["tiny.onnx", Buffer.from("not")]]));
    await expect(inWords(changedFile)).rejects.toThrow("'tiny.onnx' is not the file");
  });

  it("is listed where it cannot be played, with the reason", async () => {
    const { entry } = await takeGiven(folder(tiny({ game: null, inputs: 2 })));
    expect(entry.title).toBe("tiny");
    expect(entry.problems).toEqual([
      { code: "no_game", places: [] },
      { code: "inputs", places: ["2"] },
    ]);
  });

  it("is numbered where an installed one has its name", async () => {
    expect((await takeGiven(folder(GOOD), ["tiny", "tiny-2"])).entry.name).toBe("tiny-3");
    expect((await takeGiven(folder(tiny({ name: "tictactoe" })), ["tictactoe"])).entry.title).toBe("Tic-tac-toe");
  });
});

const flip = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte, at) => (at === 1 ? byte ^ 1 : byte)));
const without = (path: string): Files => new Map([...GOOD].filter(([each]) => each !== path));
const large = { path: "tiny.zip", blob: { size: 301e6, slice: () => new Blob() } as unknown as Blob };
const [FIRST] = [...GOOD.keys()];

/** A .zip whose one file has no bytes, in so many blocks of Deflate that hold nothing. */
function padded(blocks: number): Buffer {
  const empty = Buffer.from(Array(blocks).fill([0, 0, 0, 0xff, 0xff]).flat());
  empty[empty.length - 5] = 1;
  return packZip([["manifest.json", empty]], { "manifest.json": { method: 0, size: 0 } }, 8);
}

/** A .zip of two files whose entries both point to the bytes of the first. */
function shared(): Buffer {
  const bytes = randomBytes(10_000);
  const whole = packZip([
    ["a", bytes],
    ["b", bytes],
  ]);
  const second = whole.indexOf("PK\x03\x04", 4, "latin1");
  const central = whole.indexOf("PK\x01\x02", 0, "latin1");
  const cut = Buffer.concat([whole.subarray(0, second), whole.subarray(central)]);
  cut.writeUInt32LE(0, cut.lastIndexOf("PK\x01\x02", undefined, "latin1") + 42);
  cut.writeUInt32LE(second, cut.length - 6);
  return cut;
}

const BAD: readonly (readonly [string, readonly GivenFile[], string])[] = [
  ["nothing at all", [], "There was no file in what was given"],
  [
    "a picture",
    [{ path: "cat.png", blob: blob(Buffer.from("a picture of a cat")) }],
    "'cat.png' is no .zip, or is cut short",
  ],
  ["an empty file", [{ path: "tiny.zip", blob: blob(Buffer.alloc(0)) }], "'tiny.zip' is no .zip"],
  ["half a .zip", [{ path: "tiny.zip", blob: blob(packZip(GOOD).subarray(0, 400)) }], "is no .zip, or is cut short"],
  [
    "a .zip that is too large",
    [large],
    "'tiny.zip' is larger than the 300 MB that this app takes: export it with --format tfjs alone.",
  ],
  [
    "a .zip of something else",
    zip([["cat.png", Buffer.from("cat")]]),
    "'tiny.zip' holds no manifest.json: open the folder",
  ],
  ["two bundles", folder([...below("all/one", GOOD), ...below("all/two", GOOD)]), "'all' holds 2 bundles: open one"],
  [
    "a bundle with a wrong hash",
    folder(changeFile(GOOD, MODEL, flip)),
    `Bundle 'tiny': '${MODEL}' is not the file of its manifest (SHA-256 differs): copy or export`,
  ],
  ["the same in a .zip", zip(changeFile(GOOD, MODEL, flip)), "(SHA-256 differs): copy or export the bundle again."],
  [
    "a bundle whose model is cut short",
    zip(changeFile(GOOD, MODEL, (bytes) => bytes.subarray(0, 3))),
    `'${MODEL}' has 3 bytes, its manifest says 8`,
  ],
  ["a bundle without its model", folder(without(MODEL)), `Bundle 'tiny': '${MODEL}' is missing: copy or export`],
  ["a bundle without golden.json", folder(without("golden.json")), "'golden.json' is missing"],
  [
    "a bundle of a later azx",
    folder(withManifest(GOOD, { schema_version: 2 })),
    "its manifest has version 2, this app reads 1: use a newer app.",
  ],
  [
    "a manifest that is no JSON",
    folder(changeFile(GOOD, "manifest.json", () => Buffer.from("{"))),
    "'manifest.json' is no JSON",
  ],
  [
    "a manifest that is another JSON",
    folder(changeFile(GOOD, "manifest.json", () => asJson([1]))),
    "its manifest has version undefined",
  ],
  [
    "a bundle without a TF.js artifact",
    folder(withManifest(GOOD, { recommended: {} })),
    "it has no TF.js artifact: export it with --format tfjs",
  ],
  [
    "a manifest that is too large",
    folder(changeFile(GOOD, "manifest.json", () => Buffer.alloc(5e6, "["))),
    "'manifest.json' has 5 MB, this app reads 4 MB",
  ],
  [
    "a manifest that lists one file 5,000 times",
    zip(withManifest(GOOD, { files: Array(5000).fill({ path: MODEL, sha256: hash(Buffer.alloc(0)), size: 8 }) })),
    "Bundle 'tiny.zip': 'files' of its manifest is not there or is damaged",
  ],
  [
    "a .zip of a small file in many bytes",
    [{ path: "tiny.zip", blob: blob(padded(500)) }],
    "'tiny.zip' is damaged: pack the bundle's folder again.",
  ],
  [
    "a .zip whose members share their bytes",
    [{ path: "tiny.zip", blob: blob(shared()) }],
    "'tiny.zip' is damaged: pack the bundle's folder again.",
  ],
  [
    "too many files",
    folder(Array.from({ length: MOST_MEMBERS + 1 }, (_, at) => [`a/${at}`, Buffer.alloc(0)])),
    "'a' has more than 2000 files",
  ],
  [
    "a .zip with too many entries",
    zip(Array.from({ length: MOST_MEMBERS + 1 }, (_, at) => [`${at}`, Buffer.alloc(0)])),
    "has 2001 entries, and a bundle at most 2000",
  ],
  [
    "a .zip with a path outside",
    zip([...GOOD, ["../../secret", Buffer.of(1)]]),
    "'tiny.zip' names '../../secret', which is no path inside",
  ],
  ["a .zip with an absolute path", zip([...GOOD, ["/etc/passwd", Buffer.of(1)]]), "names '/etc/passwd'"],
  ["a .zip with a backslash", zip([...GOOD, ["a\\b", Buffer.of(1)]]), "names 'a\\b'"],
  ["a .zip with a drive", zip([...GOOD, ["C:/b", Buffer.of(1)]]), "names 'C:/b'"],
  ["a .zip with a path twice", zip([...GOOD, ...GOOD]), `'tiny.zip' has '${FIRST}' twice`],
  [
    "a .zip that is encrypted",
    zip(GOOD, { "golden.json": { flags: 1 } }),
    "is encrypted ('golden.json'): pack it without",
  ],
  [
    "a .zip of another method",
    zip(GOOD, { "golden.json": { method: 93 } }),
    "in a way that this app does not unpack (93)",
  ],
  ["a .zip that is a Zip64", zip(GOOD, { "golden.json": { size: 0xffffffff } }), "is a Zip64"],
  [
    "a .zip whose sizes are not true",
    zip(
      changeFile(GOOD, "manifest.json", (bytes) => bytes),
      { "manifest.json": { size: 9 } },
    ),
    "holds more than its directory says",
  ],
];

const KERAS_3 = ["metadata.json", "config.json", "model.weights.h5"].map((path): [string, Buffer] => [
  path,
  Buffer.of(1),
]);
const HDF5 = Buffer.from("\x89HDF\r\n\x1a\n and more", "latin1");
const lone = (path: string, bytes: Buffer = Buffer.from("anything")): GivenFile[] => [{ path, blob: blob(bytes) }];
const KERAS = "looks like a Keras checkpoint: run azx export --format tfjs";

// What was given, and what the sentence names and says of it.
const FOREIGN: readonly (readonly [string, readonly GivenFile[], string, string])[] = [
  ["HDF5 by its first bytes", lone("net.bin", HDF5), "net.bin", `${KERAS} with it and open the folder that it writes`],
  ["an .h5 by its name", lone("net.h5"), "net.h5", `${KERAS} with it`],
  ["a .keras that is a .zip", lone("net.keras", packZip(KERAS_3)), "net.keras", KERAS],
  ["the same by another name", lone("net.zip", packZip(KERAS_3)), "net.zip", KERAS],
  [
    "TFLite by its first bytes",
    lone("net", Buffer.from("\x1c\0\0\0TFL3 and more")),
    "net",
    "looks like a network for TFLite",
  ],
  ["a .tflite by its name", lone("NET.TFLITE"), "NET.TFLITE", "looks like a network for TFLite"],
  ["an .onnx", lone("net.onnx"), "net.onnx", "looks like a network for ONNX"],
  ["a .pb", lone("net.pb"), "net.pb", "looks like a network for TensorFlow"],
  [
    "a SavedModel",
    folder([["net/saved_model.pb", Buffer.of(1)]]),
    "net/saved_model.pb",
    "looks like a part of a SavedModel",
  ],
  ["an .mlmodel", lone("net.mlmodel"), "net.mlmodel", "looks like a network for Core ML"],
  [
    "an .mlpackage, a folder",
    folder([
      ["net.mlpackage/Data/com.apple.CoreML/model.mlmodel", Buffer.of(1)],
      ["net.mlpackage/Manifest.json", Buffer.of(1)],
    ]),
    "net.mlpackage",
    "looks like a network for Core ML",
  ],
  ["an .onnx in a .zip", zip([["export/net.onnx", Buffer.of(1)]]), "tiny.zip/export/net.onnx", "a network for ONNX"],
  [
    "several files",
    folder([
      ["notes.txt", HDF5],
      ["net.pb", HDF5],
    ]),
    "net.pb",
    "looks like a network for TensorFlow",
  ],
  ["a model.json alone", lone("model.json"), "model.json", "without the manifest.json of its bundle"],
  [
    "a TF.js folder alone",
    folder(below("net", new Map([["model.json", Buffer.of(1)]]))),
    "net/model.json",
    "part of a network for TF.js",
  ],
];

describe("what is a network in another format is refused with what to run:", () => {
  it.each(FOREIGN)("%s", async (_, given, name, sentence) => {
    const words = await takeGiven(given).then(() => "", wordsOf);
    expect(words).toContain(sentence);
    expect(words).toMatch(/^'[^']*' .*\.$/);
    expect(words.startsWith(`'${name}' `)).toBe(true);
  });

  it("but not where it lies in a bundle's folder", async () => {
    const { entry } = await takeGiven(
      folder([...below("tiny", GOOD), ["tiny/tiny.h5", HDF5], ["tiny/tiny.onnx", HDF5]]),
    );
    expect(entry.name).toBe("tiny");
  });
});

describe("what is no sound bundle is refused in a sentence:", () => {
  it.each(BAD)("%s", async (_, given, sentence) => {
    await expect(inWords(takeGiven(given))).rejects.toThrow(sentence);
    await expect(inWords(takeGiven(given))).rejects.toThrow(/^.*\.$/);
  });

  it("a listed file of other bytes than it says is not unpacked", async () => {
    const size = 250e6;
    const bomb = zip([...GOOD], { [MODEL]: { size } });
    await expect(inWords(takeGiven(bomb))).rejects.toThrow(`'${MODEL}' has ${size} bytes, its manifest says 8`);
  });

  it("a bundle whose files together are too large", async () => {
    const files = ["a", "b"].map((path) => ({ path: `tiny_tfjs/${path}`, sha256: hash(Buffer.alloc(0)), size: 160e6 }));
    const given = [
      ...withManifest(GOOD, { files }),
      ...files.map(({ path }): [string, Buffer] => [path, Buffer.alloc(0)]),
    ];
    await expect(inWords(takeGiven(folder(given)))).rejects.toThrow("'tiny' is larger than the 300 MB");
  });

  it("every .zip that is cut short or changed in one byte, and none of them otherwise", async () => {
    const whole = packZip(GOOD);
    for (let at = 0; at < whole.length; at += 7) {
      const cut = [{ path: "a.zip", blob: blob(whole.subarray(0, at)) }];
      await expect(inWords(takeGiven(cut))).rejects.toThrow(/^'a\.zip' is (no .zip|damaged).*\.$/);
      const other = Buffer.from(whole);
      other.writeUInt8(whole.readUInt8(at) ^ 0xff, at);
      const words = await takeGiven([{ path: "a.zip", blob: blob(other) }]).then(() => null, wordsOf);
      if (words !== null) expect(words, `byte ${at}`).toMatch(/^('a\.zip[^']*'|Bundle 'a\.zip'|Bundle 'tiny').*\.$/s);
    }
    // Some hundred files are packed and read: a busy machine takes its time.
  }, 30_000);
});

describe("a large file", () => {
  const PIECE = Buffer.alloc(1e5, 7);
  const COUNT = 50;
  const SIZE = PIECE.length * COUNT;

  /** A file that can only be read piece by piece. */
  function streamed(): Blob {
    let left = COUNT;
    const stream = (): ReadableStream<Uint8Array> =>
      new ReadableStream({ pull: (to) => (left-- ? to.enqueue(PIECE) : to.close()) }, { highWaterMark: 0 });
    const whole = (): never => {
      throw new Error("it was asked for as a whole");
    };
    return { size: SIZE, stream, arrayBuffer: whole, slice: whole } as unknown as Blob;
  }

  function listed(sha256: string): GivenFile[] {
    const manifest = JSON.parse(String(GOOD.get("manifest.json"))) as { files: object[] };
    const files = [...manifest.files, { path: "tiny_tfjs/more.bin", sha256, size: SIZE }];
    return [...folder(withManifest(GOOD, { files })), { path: "tiny_tfjs/more.bin", blob: streamed() }];
  }

  it("is checked piece by piece, and not held", async () => {
    const { files } = await takeGiven(listed(hash(Buffer.alloc(SIZE, 7))));
    expect(files.get("tiny_tfjs/more.bin")?.size).toBe(SIZE);
    const other = takeGiven(listed(hash(Buffer.alloc(SIZE, 8))));
    await expect(inWords(other)).rejects.toThrow(
      "'tiny_tfjs/more.bin' is not the file of its manifest (SHA-256 differs)",
    );
  });

  it("is checked again when it is read", async () => {
    const given = folder(GOOD);
    const { entry, files } = await takeGiven(given);
    const changed = new Map(files).set(MODEL, {
      path: MODEL,
      size: 8,
      stream: async () => new Blob(["12345678"]).stream(),
    });
    const file = entry.files.find(({ path }) => path === MODEL);
    if (!file) throw new Error("the model is not listed");
    expect((await readerOf(files, "tiny")(MODEL, file)).byteLength).toBe(8);
    await expect(inWords(readerOf(changed, "tiny")(MODEL, file))).rejects.toThrow("(SHA-256 differs)");
  });
});

describe("a .zip", () => {
  it("with a comment, and with bytes that look like an end in it, is read", async () => {
    const whole = packZip(GOOD);
    const comment = Buffer.from("PK\x05\x06 is how it ends");
    whole.writeUInt16LE(comment.length, whole.length - 2);
    const members = await membersOf(blob(Buffer.concat([whole, comment])), "a.zip");
    expect(members.map(({ path }) => path)).toEqual([...GOOD.keys()]);
  });

  it("gives each member's bytes, and leaves out folders", async () => {
    const members = await membersOf(
      blob(
        packZip([
          ["a/", Buffer.alloc(0)],
          ["a/b", Buffer.from("abc")],
        ]),
      ),
      "a.zip",
    );
    expect(members).toHaveLength(1);
    expect(await new Response(await members[0]?.stream()).text()).toBe("abc");
  });
});
