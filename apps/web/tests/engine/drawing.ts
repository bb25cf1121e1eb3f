/** Numbers that look drawn by chance, the same ones for the same seed. */
export function drawing(seed: number): (limit: number) => number {
  let state = (seed * 2654435761 + 1) >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
