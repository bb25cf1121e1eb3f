/** A training run that is followed: what it does now, its curve, its speed, and its last game. Loaded if there is one. */

import { count, number, say } from "../../texts/Speech";
import { follow } from "../bundles/Follow";
import { byId, put, set, svg } from "../dom/Dom";
import { label, tell } from "../dom/Labels";
import { curveOf, HEIGHT, WIDTH } from "./Curve";
import { type Judge, type Now, type Point, type RunState, readRun } from "./RunState";
import panel from "./run.html?raw";
import "texts:run";
import "./run.css";

// There the run stands beside the board. A narrow screen has a line above it, which opens.
const IS_WIDE = "(min-width: 56.01rem)";

/** Show the run of the server at `base` from now on; `replay` puts the record of a game on the board. */
export function showRun(base: string, replay: (record: string) => void): void {
  let shown: RunState | null = null;
  byId("starting").hidden = true;
  byId("play").insertAdjacentHTML("beforebegin", panel);
  byId<HTMLDetailsElement>("run").open = matchMedia(IS_WIDE).matches;
  label();
  matchMedia(IS_WIDE).addEventListener("change", place);
  document.body.classList.add("in-run");
  byId("run-replay").addEventListener("click", () => shown?.game && replay(shown.game.record));
  const hear = (data: unknown): void => {
    shown = readRun(data) ?? shown;
    if (shown) show(shown);
  };
  // The board may have come while the page asked.
  void follow(base, "run.json", hear, place)();
}

/** Beside the board if there is one with room beside it. */
function place(): void {
  const [run, play, aside] = [byId("run"), byId("play"), document.querySelector("#play > aside")];
  const isBeside = aside !== null && !play.hidden && matchMedia(IS_WIDE).matches;
  if (isBeside && run.parentElement !== aside) aside.prepend(run);
  else if (!isBeside && run.parentElement !== play.parentElement) play.before(run);
}

function show({ now, command, judge, generations, curve, speed, game }: RunState): void {
  const best = curve.filter((each) => each.best).at(-1) ?? null;
  const title = (): string => say(`run_${judge}`);
  tell("run-now", () => textOf(now, command));
  set(byId("run-progress"), { max: now?.of || 1, value: now?.games ?? 0, hidden: now?.event !== "playing" });
  byId("run-none").hidden = generations > 0;
  for (const id of ["run-figure", "run-facts"]) byId(id).hidden = generations === 0;
  tell("run-strength", best && (() => `${judge === "elo" ? "Elo " : ""}${figure(judge, best.value)}`));
  tell("run-best", best && (() => say("run_generation", best.generation, generations)));
  tell("run-judge", title);
  tell("run-value", best && (() => withInterval(judge, best)));
  tell("run-speed", speed === null ? null : () => number(speed));
  tell("run-last", game && (() => count("run_moves", game.plies)));
  tell("run-about", () => say(judge === "elo" ? "run_about_elo" : "run_about_exact"));
  byId<HTMLButtonElement>("run-replay").disabled = game === null;
  if (curve.length) draw(judge, curve);
}

function textOf(now: Now | null, command: string): string {
  if (now === null) return say("run_rests", command);
  const { event, generation, games, of } = now;
  if (event === "playing") return say("run_playing", generation, games, of);
  if (event === "learning") return say("run_learning", generation);
  return event === "judging" ? say("run_judging", generation) : say("run_starting");
}

const figure = (judge: Judge, value: number): string =>
  judge === "elo" && value > 0 ? `+${number(Math.round(value))}` : number(Math.round(value));

function withInterval(judge: Judge, { value, low, high }: Point): string {
  const text = figure(judge, value);
  return low === null || high === null ? text : say("run_interval", text, figure(judge, low), figure(judge, high));
}

function draw(judge: Judge, points: readonly Point[]): void {
  const { path, band, dots, levels, steps } = curveOf(points, judge !== "elo");
  const text = (x: number, y: number, what: string, anchor: string): SVGElement => {
    const made = svg("text", { x, y, "text-anchor": anchor });
    put(made, what);
    return made;
  };
  const drawing = byId<SVGElement>("run-curve");
  drawing.replaceChildren(
    ...levels.flatMap(({ y, value }) => [
      svg("path", { d: `M40 ${y}H${WIDTH - 10}`, class: "level" }),
      text(35, y + 3.5, number(value), "end"),
    ]),
    ...(band ? [svg("path", { d: band, class: "band" })] : []),
    svg("path", { d: path, class: "curve" }),
    ...dots.map(({ x, y, isBest }) => svg("circle", { cx: x, cy: y, r: isBest ? 3.6 : 1.8 })),
    ...steps.map(({ x, generation }) => text(x, HEIGHT - 4, number(generation), "middle")),
  );
  const last = points.at(-1);
  const title = say(`run_${judge}`);
  const label = last && say("run_curve", title, figure(judge, last.value), last.generation);
  set(drawing, { "aria-label": label ?? "" });
}
