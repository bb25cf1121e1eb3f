/** Data that nobody has checked yet: what the JSON of a file, of a server or of a person may hold. */

export type Data = Readonly<Record<string, unknown>>;

export const isData = (value: unknown): value is Data =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The members of an object; none if the value is anything else. */
export const membersOf = (value: unknown): Data => (isData(value) ? value : {});

/** Whether a value is a whole number from 0 on. */
export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
