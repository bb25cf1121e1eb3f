/** Connect4 against the network of a bundle: a board, the rules, and a search that asks the network. */

import { setWasmPaths } from "@tensorflow/tfjs-backend-wasm";
import plain from "@tensorflow/tfjs-backend-wasm/wasm-out/tfjs-backend-wasm.wasm?url";
import simd from "@tensorflow/tfjs-backend-wasm/wasm-out/tfjs-backend-wasm-simd.wasm?url";
import threaded from "@tensorflow/tfjs-backend-wasm/wasm-out/tfjs-backend-wasm-threaded-simd.wasm?url";
import { setBackend } from "@tensorflow/tfjs-core";
import { openBundle, Search } from "azx-play";

const SIMULATIONS = 100;
const COLUMNS = 7;
const CELLS = 42;

const board = document.getElementById("board");
const status = document.getElementById("status");
const buttons = Array.from({ length: CELLS }, (_, cell) => {
  const button = document.createElement("button");
  button.addEventListener("click", () => play(cell % COLUMNS));
  return button;
});
board.replaceChildren(...buttons);

let bundle;
let network;
/** The position on the board: nothing changes it, `apply` makes the next one. */
let state;

async function start() {
  // TF.js takes the one that the browser can run.
  setWasmPaths({
    "tfjs-backend-wasm.wasm": plain,
    "tfjs-backend-wasm-simd.wasm": simd,
    "tfjs-backend-wasm-threaded-simd.wasm": threaded,
  });
  await setBackend("wasm");
  bundle = await openBundle("bundles/connect4");
  network = await bundle.network();
  begin();
}

function begin() {
  if (!network) return;
  state = bundle.start();
  show();
}

/** A person's disc falls in a column, and the network answers. */
async function play(column) {
  const action = state?.legalActions().find((each) => each % COLUMNS === column);
  if (action === undefined || state.toMove !== 0) return;
  state = state.apply(action);
  show();
  if (state.isTerminal) return;
  const asked = state;
  const search = new Search(asked, network, { proves: true, settings: bundle.search });
  await search.run(SIMULATIONS);
  // A new game may have begun meanwhile.
  if (state !== asked) return;
  state = state.apply(search.bestAction());
  show();
}

/** Row 0 is on top; 1 is a disc of that player. */
function show() {
  const [red, yellow] = [state.plane("player0"), state.plane("player1")];
  for (const [cell, button] of buttons.entries()) {
    const colour = red[cell] ? "red" : yellow[cell] ? "yellow" : "";
    button.className = colour;
    button.setAttribute("aria-label", `Column ${(cell % COLUMNS) + 1}${colour && `, ${colour}`}`);
  }
  const results = { 1: "You have won", 0: "A draw", [-1]: "The network has won" };
  const turn = state.toMove === 0 ? "Your turn: choose a column" : "The network is thinking";
  status.textContent = state.isTerminal ? results[state.returns()] : turn;
}

document.getElementById("again").addEventListener("click", begin);
start().catch((error) => {
  status.textContent = error.message;
});
