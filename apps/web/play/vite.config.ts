import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { accountForParts } from "../parts.ts";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  // What lies beside the page has no place in the package.
  publicDir: false,
  plugins: [accountForParts("azx-play", here("../../../release/parts.json")).page()],
  build: {
    target: "es2022",
    outDir: here("dist"),
    emptyOutDir: true,
    lib: { entry: here("index.ts"), formats: ["es"], fileName: "index" },
    rolldownOptions: { external: [/^@tensorflow\//, /^@noble\//] },
  },
});
