/** A small server of the built app and of bundles, with the headers that `azx serve` sends. */

import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";

const DIST = fileURLToPath(new URL("../../dist/", import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webmanifest": "application/manifest+json",
  ".bin": "application/octet-stream",
};
const STRICT = {
  "Content-Security-Policy":
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; " +
    "img-src 'self' data:; style-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cache-Control": "no-cache",
};

/** What changes a file before it is sent, by its path; the same bytes if nothing does. */
export type Change = (path: string, bytes: Buffer) => Buffer;

export interface Site {
  readonly url: string;
  /** Bytes sent, by path. */
  readonly sent: Map<string, number>;
  close(): Promise<void>;
}

/**
 * The built app, with `more` files beside its own or in their place (null: it is gone), sent with these headers. A file
 * that `isHeld` is sent by half.
 */
export async function serve(
  change: Change = (_, bytes) => bytes,
  more: ReadonlyMap<string, Buffer | null> = new Map(),
  own: Readonly<Record<string, string>> = {},
  isHeld = (_: string): boolean => false,
): Promise<Site> {
  const strict = { ...STRICT, ...own };
  const sent = new Map<string, number>();
  const server: Server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname).slice(1) || "index.html";
    const file = DIST + path;
    const placed = more.get(path);
    if (placed) {
      const type = TYPES[extname(path)] ?? "application/octet-stream";
      response.writeHead(200, { ...strict, "Content-Type": type, "Content-Length": placed.length }).end(placed);
      return;
    }
    if (placed === null || path.includes("..") || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404, strict).end();
      return;
    }
    // By plain http browsers do not take Brotli.
    const isPacked = /\bbr\b/.test(String(request.headers["accept-encoding"])) && existsSync(`${file}.br`);
    const bytes = change(path, readFileSync(isPacked ? `${file}.br` : file));
    sent.set(path, (sent.get(path) ?? 0) + bytes.length);
    const headers = {
      ...strict,
      "Content-Type": TYPES[extname(path)] ?? "application/octet-stream",
      "Content-Length": bytes.length,
    };
    response.writeHead(200, isPacked ? { ...headers, "Content-Encoding": "br" } : headers);
    if (isHeld(path)) response.write(bytes.subarray(0, bytes.length / 2));
    else response.end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}/`, sent, close };
}

/** LiteRT.js, its runtime, and the files that it runs. */
export const LITE = /assets\/(Lite|litert_wasm)|\.tflite$/;

/** All that was sent, of the app and of its bundles. */
export const bytesSent = ({ sent }: Pick<Site, "sent">): number =>
  [...sent.values()].reduce((sum, bytes) => sum + bytes, 0);
