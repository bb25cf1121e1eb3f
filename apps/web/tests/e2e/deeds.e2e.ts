/** Whatever a person does, and in whatever order: no move of any game is lost. AZX_SEQUENCES says how many orders are tried. */

import { expect, it } from "vitest";
import { bench, PATIENCE } from "./browser";
import { Chance, kept, lostOf, Person } from "./deeds";
import { inBrowser } from "./person";

/** How many orders are tried; else these, of which the last three once lost a move that had found no room in the database. */
const SEQUENCES = Number(process.env.AZX_SEQUENCES ?? 0);
const USUAL = [1, 2, 26, 37, 80];
const DEEDS = 8;
/** So many are tried side by side: each has a browser's storage of its own. */
const TOGETHER = 5;

const seeds = SEQUENCES ? Array.from({ length: SEQUENCES }, (_, at) => at + 1) : USUAL;
const groups = Array.from({ length: Math.ceil(seeds.length / TOGETHER) }, (_, at) =>
  seeds.slice(at * TOGETHER, (at + 1) * TOGETHER),
);

inBrowser("odd deeds", ({ browser }) => {
  it.each(groups.map((group) => [group[0], group.at(-1), group] as const))(
    "lose no move, by the seeds %i to %i",
    { timeout: 600_000 },
    async (_first, _last, group) => {
      const { site } = await bench();
      const act = async (seed: number): Promise<void> => {
        const context = await browser().newContext({ viewport: { width: 1280, height: 900 }, serviceWorkers: "block" });
        context.setDefaultTimeout(PATIENCE);
        await context.addInitScript(() => {
          Object.defineProperty(navigator, "connection", { value: { saveData: true } });
          try {
            localStorage.setItem("azx strength", "policy");
            localStorage.setItem("azx begins", "you");
          } catch {
            // The journal is refused.
          }
        });
        const person = new Person(context, site.url, new Chance(seed));
        await person.begin();
        for (let deed = 0; deed < DEEDS; deed++) await person.act();
        const page = await person.comeBack();
        const about = `seed ${seed}: ${person.done.join(", ")}`;
        expect(person.witnessed.length, about).toBeGreaterThan(0);
        await expect.poll(async () => lostOf(person.witnessed, await kept(page)), { message: about }).toEqual([]);
        await context.close();
      };
      await Promise.all(group.map(act));
    },
  );

  it("would find a move that is lost", () => {
    expect(lostOf([[1, 2, 3]], [[1, 2]])).toEqual([[1, 2, 3]]);
    expect(lostOf([[1, 2]], [[1, 2, 3]])).toEqual([]);
  });
});
