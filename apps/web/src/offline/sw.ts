/** The service worker: keeps the app's own files for offline use. The bundles' files are kept by bundle/Store.ts. */

/// <reference lib="webworker" />

import { fallback, hasVectors, isForOthers, isLater, isNamedByContent, LATER } from "./Shell";

declare const self: ServiceWorkerGlobalScope;

// The build puts the list here.
const FILES: readonly string[] = JSON.parse('"APP_FILES"');
const VERSION: string = "APP_VERSION";
// Several pages may share an origin, as those of one person on a host for many: each keeps its own files.
const OURS = `azx-app-${self.registration.scope}#`;
const CACHE = OURS + VERSION;

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => Promise.all([cache.addAll(listKept().map(anew)), takeOver(cache)]))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(names.filter((name) => isOurs(name) && name !== CACHE).map((name) => caches.delete(name))),
      )
      .then(() => self.clients.claim()),
  );
});

self.addEventListener("fetch", (event) => {
  const path = fallback(event.request, self.registration.scope, FILES);
  if (path !== null) event.respondWith(answer(path, event.request));
});

/** Whether a cache is this page's, or that of an app which named none. */
const isOurs = (name: string): boolean => name.startsWith(OURS) || /^azx-app-\w+$/.test(name);

/** What is kept from the beginning on. */
function listKept(): readonly string[] {
  const isWithVectors = hasVectors();
  return FILES.filter((path) => !isLater(path) && !isForOthers(path, isWithVectors));
}

/** Keep what an older app has kept of the files that come later: by their names they are the same. */
async function takeOver(cache: Cache): Promise<void> {
  for (const path of FILES.filter(isLater)) {
    const known = await caches.match(new URL(path, self.registration.scope).href);
    if (known) await cache.put(path, known);
  }
}

// A worker that was there before this one does not ask it for its files.
self.addEventListener("message", (event) => {
  if (event.data === LATER) event.waitUntil(keepLater());
});

/** Keep what the page runs by now; by its name it is what the browser has just fetched. */
async function keepLater(): Promise<void> {
  const cache = await caches.open(CACHE);
  for (const path of FILES.filter(isLater)) if (!(await cache.match(path))) await cache.add(path);
}

/**
 * The file as the host has it now: what the browser keeps for as long as a host allows may be of an older app. One that is
 * named by its content is not sent again, the page has just had it.
 */
function anew(path: string): Request {
  return new Request(path, { cache: isNamedByContent(path) ? "force-cache" : "reload" });
}

async function answer(path: string, request: Request): Promise<Response> {
  // A browser may forbid its caches at any time: then the host answers.
  const cache = await caches.open(CACHE).catch(() => null);
  const known = await cache?.match(path).catch(() => undefined);
  if (known) return known;
  if (!cache) return fetch(request);
  const fresh = await fetch(anew(path));
  if (fresh.ok) await cache.put(path, fresh.clone()).catch(() => undefined);
  return fresh;
}
