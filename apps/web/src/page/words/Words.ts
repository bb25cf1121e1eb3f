/** What is said about a game and its moves, in the language of the page. */

import type { Problem } from "../../bundle/Problem";
import { DotsAndBoxes } from "../../engine/games/DotsAndBoxes";
import { Go } from "../../engine/games/Go";
import { Reversi } from "../../engine/games/Reversi";
import { GAMES } from "../../engine/known/Catalogue";
import type { RecordError } from "../../engine/records/Record";
import { other, type Refusal, type State } from "../../engine/State";
import { count, isText, number, say, sayBy, sayThis } from "../../texts/Speech";
import { type BackendName, isOnLite, type Playing, type Subject } from "../../worker/Messages";
import type { Presentation } from "../boards/Presentation";
import { winner } from "../game/Ending";
import type { Side, Sides } from "../game/GameRecord";
import { firstPly, hasPerson, type Session, sideOf } from "../game/Session";

/** How many of a bundle's unlisted files are named. */
const MOST_PATHS = 4;

/** "4.5 points". */
export const points = (amount: number): string =>
  amount === 1 ? say("point_one") : say("points_count", number(amount));

/** A name at the beginning of a sentence; a point is called as the board has it, "d4". */
export const capital = (name: string): string => name.replace(/^\p{L}(?=\p{L})/u, (first) => first.toUpperCase());

export const LITERT = "LiteRT.js";

/** What a backend is called, in every language; one in a lower precision says so. */
export const NAME_OF: Readonly<Record<Subject, string>> = {
  wasm: "wasm",
  webgl: "webgl",
  cpu: "cpu",
  fp16: "TF.js fp16",
  "int8-weights": "TF.js int8",
  litert: LITERT,
  "litert-int8": `${LITERT} int8`,
};

/** A precision as it is called in short: "int8". */
export const shortOf = (precision: string): string => precision.replace(/-.*/, "");

/** The backend that plays, and the precision of what it plays where it is a lower one. */
export function nameOf(backend: BackendName, precision: Playing["precision"]): string {
  const isTold = isOnLite(backend) || precision === "fp32";
  return isTold ? NAME_OF[backend] : `${NAME_OF[backend]} ${shortOf(precision)}`;
}

export const notPossible = (refusal: Refusal): string => say("not_possible", clauseOfRefusal(refusal));

/** The reason alone, as a clause. */
export const clauseOfRefusal = ({ code, move }: Refusal): string =>
  sayThis({ key: `reason_${code}`, places: move === null ? [] : [move] });

/** Why a text is no record of a game that can be shown. */
export function whyNoRecord({ key, move, what, refusal }: RecordError): string {
  const words = key === "record_no_network" ? sayBy(`game_${what}`) : what;
  const places = [move, refusal ? clauseOfRefusal(refusal) : words];
  return sayThis({ key, places: places.filter((place) => place !== null) });
}

/** What a bundle is called: its title of the index, in which the game's English name is put into this language. */
export function titleOf({ title, game }: { readonly title: string; readonly game: string | null }): string {
  const known = GAMES.get(game ?? "");
  return known ? title.replace(known.title, sayBy(`game_${known.name}`)) : title;
}

export function clauseOf({ code, places }: Problem): string {
  const key = `problem_${code}`;
  return isText(key) ? sayThis({ key, places }) : say("problem_unknown", code);
}

/** Why a bundle cannot be played, and that its self-test runs where it does, in sentences. */
export function sayUnplayable(problems: readonly Problem[], canTest = false): string {
  const reasons = say("cannot_play", problems.map(clauseOf).join(say("and_clause")));
  return canTest ? say("two_sentences", reasons, say("test_runs")) : reasons;
}

/** The first ones of what lay in a bundle's folder and was not opened. */
export function sayUnlisted({ name }: { readonly name: string }, paths: readonly string[]): string {
  const shown = paths.slice(0, MOST_PATHS).join(say("board_comma"));
  return say("given_unlisted", name, paths.length > MOST_PATHS ? `${shown} …` : shown);
}

/** "level 3" as a person reads it. */
export function levelText(level: string): string {
  const [kind, number] = level.split(" ");
  if (kind === "level") return sayBy(`level_${number}`);
  if (kind === "simulations") return count("strength_simulations", Number(number));
  if (kind === "seconds") return count("strength_seconds", Number(number));
  return level === "policy" ? say("policy_only") : "";
}

/** A network's title beside the board of its game, whose name then says nothing: "run-17" of "Connect4 (run-17)". */
export function shortTitle(title: string, game: string): string {
  const whole = titleOf({ title, game });
  const before = `${sayBy(`game_${game}`)} (`;
  return whole.startsWith(before) ? whole.slice(before.length, -1) : whole;
}

/** What one of two networks is called: its title, and how strong it plays. */
export const sideName = ({ name, level }: Side, game: string): string =>
  [titleOf({ title: name, game }), levelText(level)].join(", ");

/** The score, or what was captured; empty if a game has nothing to count. */
export function summary(session: Session, state: State): string {
  if (state instanceof DotsAndBoxes || state instanceof Reversi) return counts(session, state);
  if (!(state instanceof Go)) return "";
  return state.isTerminal ? score(state, deadOf(session, state)) : captures(session, state);
}

/** What the person and the network have; of both sides of a game that is watched the boxes' colours say it. */
function counts(session: Session, state: DotsAndBoxes | Reversi): string {
  const isBoxes = state instanceof DotsAndBoxes;
  if (!hasPerson(session)) return isBoxes ? "" : say("discs_score_watched", ...state.scores);
  const side = sideOf(session);
  return say(isBoxes ? "boxes_score" : "discs_score", state.scores[side], state.scores[other(side)]);
}

function captures(session: Session, state: Go): string {
  const captured = say("captured", ...state.prisoners);
  const isMoved = state !== session.states[firstPly(session)];
  if (!isMoved || state.lastAction !== state.pass || !hasPerson(session)) return captured;
  return `${captured} ${say(state.toMove === session.human ? "ai_passed" : "you_passed")}`;
}

/** The stones that were agreed to be dead, at the end of the game. */
export function deadOf({ end, states }: Session, state: Go): readonly number[] {
  return end?.kind === "agreed" && state === states.at(-1) ? end.dead : [];
}

export function score(state: Go, dead: readonly number[]): string {
  const [black, white] = state.areas(dead).map((points) => points.length);
  return say("go_score", black ?? 0, white ?? 0, number(state.komi), winner(state.score(dead)));
}

/** What two networks are called beside each other: of one and the same at one level its pieces tell which it is. */
export function sideNames(sides: Sides, game: string, pieces: Presentation["pieces"]): readonly [string, string] {
  const [one, two] = [sideName(sides[0], game), sideName(sides[1], game)];
  if (one !== two) return [one, two];
  return [[one, say(pieces[0])].join(say("board_comma")), [two, say(pieces[1])].join(say("board_comma"))];
}
