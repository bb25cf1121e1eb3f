/** A reading in plain words: whose pieces are what, and how the board lies in the input. */

import type { Doubt } from "../../bundle/Assumed";
import type { Encoding } from "../../engine/Encoding";
import { isText, say, sayBy } from "../../texts/Speech";
import { byId } from "../dom/Dom";
import { label } from "../dom/Labels";
import dialog from "./readings.html?raw";
import "texts:readings";
import "./readings.css";

/** A reading that a person may choose; `name` is null for the one that is assumed. */
export interface Choice {
  readonly name: string | null;
  readonly words: string;
  readonly about: string;
}

/** Add the dialog in which a reading is chosen, once. */
export function layReadings(): void {
  if (document.getElementById("readings")) return;
  document.body.insertAdjacentHTML("beforeend", dialog);
  byId("readings-cancel").addEventListener("click", () => byId<HTMLDialogElement>("readings").close());
  label();
}

/** What is only assumed, or that a person has chosen a reading. */
export function sayDoubt(doubt: Doubt): string {
  const { board, outputs, chosen } = doubt;
  const choice = chosen === null ? undefined : sayChoices(doubt).find(({ name }) => name === chosen);
  if (choice) return outputs ? say("reading_chosen_outputs", choice.words) : say("reading_chosen", choice.words);
  if (!board) return say("reading_outputs_alone");
  return outputs ? say("reading_outputs_assumed") : say("reading_assumed");
}

/** The readings in plain words, the one that is assumed first. */
export function sayChoices({ assumed, others }: Doubt): readonly Choice[] {
  // Where rows lie otherwise in one of them, each says how.
  const saysRows = [assumed, ...others.map(({ encoding }) => encoding)].some(({ flip }) => flip);
  const usual = { name: null, words: sayReading(assumed, saysRows), about: say("reading_usual") };
  return [usual, ...others.map(({ name, encoding }) => ({ name, words: sayReading(encoding, saysRows), about: name }))];
}

/** "+1 the player to move, −1 the other player; bottom row first"; where rows lie is said where `saysRows`, or unusual. */
export function sayReading({ layout, planes, flip, transpose, beside }: Encoding, saysRows: boolean): string {
  const [only = ""] = planes;
  const pieces =
    planes.length === 1 ? sayPlane(only) : say("sees_planes", planes.map(sayPlane).join(say("board_comma")));
  const parts = [pieces];
  if (flip || saysRows) parts.push(say(flip ? "sees_bottom_first" : "sees_top_first"));
  if (transpose) parts.push(say("sees_by_column"));
  if (layout === "cells") parts.push(say("sees_by_cell"));
  if (beside) parts.push(say("sees_beside", beside.planes.map(sayPlane).join(say("board_comma"))));
  return parts.join(say("sees_then"));
}

/** One plane; by its own name if there are no words for it. */
function sayPlane(plane: string): string {
  const [, kind, first] = /^(signed|codes|marks)(?:_(mover|opponent|player[01]))?$/.exec(plane) ?? [];
  if (kind !== undefined) {
    const whose = first ?? "mover";
    const key = kind === "signed" ? "sees_signed" : kind === "codes" ? "sees_codes" : "sees_marks";
    return say(key, sayWhose(whose), sayWhose(otherOf(whose)));
  }
  const [name = "", ago] = plane.split("@");
  const words = sayWhose(name);
  return ago === undefined ? words : say("sees_ago", words, ago);
}

const OTHERS: Readonly<Record<string, string>> = {
  mover: "opponent",
  opponent: "mover",
  player0: "player1",
  player1: "player0",
};

const otherOf = (whose: string): string => OTHERS[whose] ?? whose;

/** A player, or another plane that says nothing of a piece. */
function sayWhose(name: string): string {
  const key = `sees_${name}`;
  return isText(key) ? sayBy(key) : name;
}
