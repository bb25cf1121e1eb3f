/** The browser's own databases (IndexedDB), each with one store of entries; a transaction is done whole or not at all. */

/** What does not come within this time, in milliseconds, will never come. */
const PATIENCE = 3000;

/**
 * What a database answers; rejected if it does not answer in time. One may open and then never answer, if the process
 * that holds it has ended.
 */
export function inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    answer.then(resolve, reject);
    setTimeout(() => reject(new Error("the browser's database does not answer")), PATIENCE);
  });
}

/** A database whose store `entries` has the key `key`. Rejected if the browser forbids it. */
export function openDatabase(name: string, entries: string, key: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    // A browser that forbids it throws here.
    const request = indexedDB.open(name, 1);
    request.addEventListener("upgradeneeded", () => request.result.createObjectStore(entries, { keyPath: key }));
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error));
  });
}

/** What a request answers, once its whole transaction is on the disk. */
export function within<Answer>(
  database: IDBDatabase,
  mode: IDBTransactionMode,
  act: (entries: IDBObjectStore) => IDBRequest<Answer>,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const [entries = ""] = database.objectStoreNames;
    const transaction = database.transaction(entries, mode);
    const request = act(transaction.objectStore(entries));
    transaction.addEventListener("complete", () => resolve(request.result));
    transaction.addEventListener("abort", () => reject(transaction.error ?? request.error));
  });
}

/** Whether an error says that the browser has no room. */
export const isFull = (error: unknown): boolean => error instanceof DOMException && error.name === "QuotaExceededError";
