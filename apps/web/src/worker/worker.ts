/**
 * The worker's first file. Nothing else may import it: WebKit would run it again for each importer, and there would be two
 * workers in one. So its code is in a chunk of its own (vite.config.ts).
 */

import "./Door";
