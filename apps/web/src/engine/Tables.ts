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
    const [first, ...others] = entry ? entry.shapes.map((shape) => boardOf(shape, entry.encoding as Planes)) : [];
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

  /** The encoding of the board of this size; that of the reference network where there is none. */
  encoding(size: number): Encoding {
    return this.boards.find(({ settings }) => settings.size === size)?.encoding ?? this.reference;
  }
}

type Planes = Pick<Encoding, "layout" | "planes">;

function boardOf(shape: (typeof shapes)[number]["shapes"][number], planes: Planes): Board {
  const [rows = 0, columns = 0] = shape.board;
  const numberings = shape.policies.map(({ name, width }) => ({
    name,
    width,
    // A policy of one output a column has that of each of its cells.
    index: (action: number): number => action % width,
  }));
  return { settings: shape.settings, encoding: { ...planes, board: [rows, columns] }, numberings };
}
