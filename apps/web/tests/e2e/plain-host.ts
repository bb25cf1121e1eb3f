/** Python's plain web server, which knows nothing of the page. */

import type { ChildProcess } from "node:child_process";

/** The address of a server that has been started, as it says it itself. */
export function addressOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    server.stdout?.on("data", (said) => {
      const port = /port (\d+)/.exec(String(said))?.[1];
      if (port) resolve(`http://127.0.0.1:${port}/`);
    });
    server.on("exit", () => reject(new Error("python3 -m http.server has ended")));
  });
}
