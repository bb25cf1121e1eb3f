/** Which requests the service worker answers from the app's files. */

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
