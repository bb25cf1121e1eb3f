/** Which requests the service worker answers from the app's files. */

/** What the page tells the service worker once LiteRT.js runs. */
export const LATER = "later";

/** Whether a file is kept from when it was first wanted: most people never need LiteRT.js, which is larger than all else. */
export const isLater = (path: string): boolean => /^assets\/(Lite|litert_wasm)[^/]*$/.test(path);

/** Whether a file's name has its content's hash: what a browser has under that name is the file. */
export const isNamedByContent = (path: string): boolean => /^assets\/.+-[\w-]{8}\.\w+$/.test(path);

/** The app's file that a request is for, relative to `scope`; null where it is for something else. */
export function fallback(
  request: { method: string; url: string },
  scope: string,
  files: readonly string[],
): string | null {
  if (request.method !== "GET" || !request.url.startsWith(scope)) return null;
  const path = request.url.slice(scope.length).replace(/[?#].*$/, "") || "index.html";
  return files.includes(path) ? path : null;
}
