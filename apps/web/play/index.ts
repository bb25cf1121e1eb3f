/**
 * azx in your own app: the rules of the games, a bundle's network in TF.js, and the search.
 *
 *     import "@tensorflow/tfjs-backend-webgl";
 *     import { openBundle, Search } from "azx-play";
 *
 *     const bundle = await openBundle("bundles/connect4");
 *     const network = await bundle.network();
 *     const search = new Search(bundle.start(), network, { proves: true, settings: bundle.search });
 *     await search.run(200);
 *     search.bestAction();
 *
 * The page of azx is made of the same files. Nothing here draws, keeps or fetches anything but the files of a bundle.
 */

export type { Evaluation, Evaluator } from "../src/engine/Evaluator";
export { priors, Uniform } from "../src/engine/Evaluator";
export type { Game, Setting, Settings, Value } from "../src/engine/Game";
export { begin } from "../src/engine/Game";
export { GameError } from "../src/engine/GameError";
export { GAMES } from "../src/engine/known/Catalogue";
export type { Level } from "../src/engine/Levels";
export { chooseAction, levelsOf, passing } from "../src/engine/Levels";
export type { Child, Options, Report } from "../src/engine/Search";
export { Search } from "../src/engine/Search";
export type { Gumbel, SearchSettings } from "../src/engine/SearchSettings";
export type { Player, Refusal, State } from "../src/engine/State";
export type { OpenedBundle, OpenOptions, PlayingNetwork, ReadFile } from "./OpenedBundle";
export { OpenError, openBundle } from "./OpenedBundle";
