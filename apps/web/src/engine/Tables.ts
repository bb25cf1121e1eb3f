/** The boards that networks are made for, as games/data has them for every language. */

import shapes from "../../../../games/data/shapes.json";
import type { Encoding } from "./Encoding";
import type { Numbering, Setting, Settings, Value } from "./Game";

/** A board that networks are made for: the reference network's encoding of it, and how policies number its actions. */
export interface Board {
  readonly settings: Settings;
  readonly encoding: Encoding;
  /** The reference network's first. */
  readonly numberings: readonly Numbering[];
}

/** What shapes.json has of a game; the reference network's board is the first. */
export class Shapes {
  private constructor(
    readonly title: string,
    readonly settings: readonly Setting[],
    readonly boards: readonly [Board, ...Board[]],
  ) {}

  static of(name: string): Shapes {
    const entry = shapes.find((each) => each.name === name);
    const [first, ...others] = entry ? sidesOf(entry).map((settings) => boardOf(entry, settings)) : [];
    if (!entry || !first) throw new Error(`shapes.json has no game '${name}', this is a bug.`);
    return new Shapes(entry.title, entry.settings, [first, ...others]);
  }

  get reference(): Encoding {
    return this.boards[0].encoding;
  }

  /** The sizes of the game's boards, ascending. */
  get sizes(): readonly number[] {
    return this.boards.map(({ settings }) => Number(settings.size)).sort((one, other) => one - other);
  }

  choices(name: string): readonly Value[] {
    return this.settings.find((setting) => setting.name === name)?.choices ?? [];
  }

  /** The board whose planes have this many rows and columns. */
  board(planes: readonly number[]): Board | undefined {
    return this.boards.find(({ encoding }) => encoding.board.join() === planes.join());
  }

  /** What a network of the reference network's kind reads of a board of these rows and columns. */
  encoding(rows: number, columns: number): Encoding {
    return { ...this.reference, board: [rows, columns] };
  }
}

type Entry = (typeof shapes)[number];
type Term = Entry["board"][number];

/** The settings of each board, those that its sides depend on; the reference network's first. */
function sidesOf({ settings, board }: Entry): readonly Settings[] {
  const named = new Set(board.map(({ setting }) => setting));
  return settings
    .filter(({ name }) => named.has(name))
    .reduce<readonly Settings[]>(
      (known, { name, default: usual, choices }) =>
        known.flatMap((sides) => [...new Set([usual, ...choices])].map((value) => ({ ...sides, [name]: value }))),
      [{}],
    );
}

/** A side of a board: `times` a setting's value, and `plus`. */
const numberOf = ({ setting, times, plus }: Term, settings: Settings): number =>
  times * Number(settings[setting] ?? 0) + plus;

function boardOf({ board, encoding, policies }: Entry, settings: Settings): Board {
  const numberings = policies.map(({ name, factors, plus }) => {
    const width = factors.reduce((product, term) => product * numberOf(term, settings), 1) + plus;
    // A policy of one output a column has that of each of its cells.
    return { name, width, index: (action: number): number => action % width };
  });
  const planes = encoding as Pick<Encoding, "layout" | "planes">;
  return { settings, encoding: { ...planes, board: board.map((term) => numberOf(term, settings)) }, numberings };
}
