/// <reference types="vite/client" />

/** The English texts of one part of the page, as vite.config.ts cuts them out. */
declare module "*&part" {
  const texts: Partial<import("../texts/Fill").Texts>;
  export default texts;
}
