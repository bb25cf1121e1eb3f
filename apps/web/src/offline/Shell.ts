/** Which requests the service worker answers from the app's files. */

/** What the page tells the service worker once LiteRT.js runs. */
export const LATER = "later";

/** Whether a file is kept from when it was first wanted: most people never need LiteRT.js, which is larger than all else. */
export const isLater = (path: string): boolean => /^assets\/(Lite|litert_wasm)[^/]*$/.test(path);

/** A function that makes a vector, which WebAssembly is not everywhere able to. */
const VECTOR = [
  [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  // A type: no parameters, and a vector as the result.
  [0x01, 0x05, 0x01, 0x60, 0x00, 0x01, 0x7b],
  [0x03, 0x02, 0x01, 0x00],
  // Its code: the number 0, in every place of a vector.
  [0x0a, 0x08, 0x01, 0x06, 0x00, 0x41, 0x00, 0xfd, 0x0f, 0x0b],
];

/** Whether this browser's WebAssembly calculates with vectors: TF.js has a file for those and one for the others. */
export const hasVectors = (): boolean => WebAssembly.validate(Uint8Array.from(VECTOR.flat()));

/** Whether a file is run by a browser alone which has vectors and this one has not, or the other way round. */
export function isForOthers(path: string, isWithVectors: boolean): boolean {
  const [file, simd] = /^assets\/tfjs-backend-wasm(-simd)?-[\w-]{8}\.wasm$/.exec(path) ?? [];
  return file !== undefined && (simd !== undefined) !== isWithVectors;
}

/** Whether a file's name has its content's hash: what a browser has under that name is the file. */
export const isNamedByContent = (path: string): boolean => /^assets\/.+-[\w-]{8}\.\w+$/.test(path);

/** The app's file that a request is for, relative to `scope`; null if it is for something else. */
export function fallback(
  request: { method: string; url: string },
  scope: string,
  files: readonly string[],
): string | null {
  if (request.method !== "GET" || !request.url.startsWith(scope)) return null;
  const path = request.url.slice(scope.length).replace(/[?#].*$/, "") || "index.html";
  return files.includes(path) ? path : null;
}
