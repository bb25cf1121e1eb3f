/** What is heard and felt of a game: short tones that are computed here, and a tick. Loaded where a person wants either. */

import { DotsAndBoxes } from "../../engine/games/DotsAndBoxes";
import { Go } from "../../engine/games/Go";
import type { State } from "../../engine/State";
import { isWanted } from "../choices/Controls";
import type { Session } from "../game/Session";
import * as sessions from "../game/Session";

/** A frequency in hertz, after how many seconds it begins, and over how many it fades. */
type Note = readonly [number, number, number];

/** What a move sounds like, a capture, and the end of a game. */
export const TONES = {
  place: [[620, 0, 0.09]],
  capture: [
    [620, 0, 0.09],
    [930, 0.07, 0.12],
  ],
  end: [
    [523.25, 0, 0.25],
    [659.25, 0.14, 0.25],
    [783.99, 0.28, 0.4],
  ],
} as const satisfies Readonly<Record<string, readonly Note[]>>;

export type Tone = keyof typeof TONES;

// Neither end of a tone jumps: that would click.
const [LOUDNESS, ATTACK, SILENCE] = [0.35, 0.004, 0.0005];

/** What the moves between two sessions sound like; null if none was made. */
export function toneBetween(before: Session, after: Session): Tone | null {
  const known = before.states.length;
  const added = after.states.slice(known);
  if (added.length === 0 || after.states[known - 1] !== sessions.latest(before)) return null;
  if (sessions.latest(after).isTerminal) return "end";
  return added.some(isCapture) ? "capture" : "place";
}

function isCapture(state: State): boolean {
  if (state instanceof Go) return state.lastCaptured.length > 0;
  return state instanceof DotsAndBoxes && state.completed.length > 0;
}

let context: AudioContext | null = null;

/** How long a device ticks. */
const TICK_MILLISECONDS = 15;

/**
 * Let the moves between two sessions be heard and felt, as a person wants, if the page was touched: no browser lets it
 * sound before. A game that is watched is not felt.
 */
export function sound(before: Session, after: Session): void {
  const tone = toneBetween(before, after);
  if (!tone || !navigator.userActivation?.hasBeenActive) return;
  if (isWanted("vibration") && sessions.hasPerson(after)) navigator.vibrate(TICK_MILLISECONDS);
  if (!isWanted("sound")) return;
  context ??= new AudioContext();
  void context.resume();
  for (const note of TONES[tone]) soundNote(context, note);
}

function soundNote(audio: AudioContext, [frequency, start, length]: Note): void {
  const at = audio.currentTime + start;
  const loudness = audio.createGain();
  loudness.gain.setValueAtTime(0, at);
  loudness.gain.linearRampToValueAtTime(LOUDNESS, at + ATTACK);
  loudness.gain.exponentialRampToValueAtTime(SILENCE, at + length);
  const source = new OscillatorNode(audio, { frequency });
  source.connect(loudness).connect(audio.destination);
  source.start(at);
  source.stop(at + length);
}
