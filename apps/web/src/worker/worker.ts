/**
 * The worker's first file, which nothing else may come to import: WebKit runs it anew for whoever does, and there would be two
 * workers in one. So its code is in a chunk of its own (vite.config.ts).
 */

import "./Door";
