/** The browser's own databases may open and then never answer, as where the process that has them has ended. */

/** What does not come within this time, in milliseconds, is taken for what never will. */
const PATIENCE = 3000;

/** What a database answers; rejected if that does not come in time. */
export function inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    answer.then(resolve, reject);
    setTimeout(() => reject(new Error("the browser's database does not answer")), PATIENCE);
  });
}
