/** Rows of equal pieces on a board. */

/** (rows down, columns right) of the four lines through a cell. */
export const DIRECTIONS: readonly (readonly [number, number])[] = [
  [0, 1],
  [1, 0],
  [1, 1],
  [1, -1],
];

/** The size of a board, and how many pieces in a row win on it. */
export interface Grid {
  readonly rows: number;
  readonly columns: number;
  readonly wins: number;
}

/** How many cells from `at` (not counted) on in one direction hold what `at` holds. */
function reach(cells: Uint8Array, { rows, columns }: Grid, at: number, down: number, right: number): number {
  let row = ((at / columns) | 0) + down;
  let column = (at % columns) + right;
  let count = 0;
  while (row >= 0 && row < rows && column >= 0 && column < columns) {
    if (cells[row * columns + column] !== cells[at]) break;
    count++;
    row += down;
    column += right;
  }
  return count;
}

/** Whether the piece at `at` is part of a row that wins. */
export function hasRow(cells: Uint8Array, grid: Grid, at: number): boolean {
  for (const [down, right] of DIRECTIONS) {
    const behind = reach(cells, grid, at, -down, -right);
    if (behind + 1 + reach(cells, grid, at, down, right) >= grid.wins) return true;
  }
  return false;
}

/** The rows through `at` that win, each from its left or upper end to the other. */
export function winningRows(cells: Uint8Array, grid: Grid, at: number): readonly (readonly number[])[] {
  return DIRECTIONS.flatMap(([down, right]) => {
    const behind = reach(cells, grid, at, -down, -right);
    const length = behind + 1 + reach(cells, grid, at, down, right);
    const step = down * grid.columns + right;
    return length < grid.wins ? [] : [Array.from({ length }, (_, k) => at + (k - behind) * step)];
  });
}
