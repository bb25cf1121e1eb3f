/** LiteRT.js's loader, which has no types of its own; vite.config.ts makes a module of it. */
declare module "@litertjs/core/wasm/litert_wasm_internal.js" {
  interface Settings {
    readonly locateFile: (name: string) => string;
    readonly print: (line: string) => void;
    readonly printErr: (line: string) => void;
  }
  export default function load(settings: Settings): Promise<import("@litertjs/core").LiteRt["liteRtWasm"]>;
}
