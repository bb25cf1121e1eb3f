/// <reference types="vite/client" />

/** The English texts of one part of the page, as vite.config.ts cuts them out. */
declare module "*.json?part=given" {
  const texts: Partial<import("../texts/Fill").Texts>;
  export default texts;
}
declare module "*.json?part=library" {
  const texts: Partial<import("../texts/Fill").Texts>;
  export default texts;
}
declare module "*.json?part=readings" {
  const texts: Partial<import("../texts/Fill").Texts>;
  export default texts;
}
declare module "*.json?part=records" {
  const texts: Partial<import("../texts/Fill").Texts>;
  export default texts;
}
declare module "*.json?part=series" {
  const texts: Partial<import("../texts/Fill").Texts>;
  export default texts;
}
declare module "*.json?part=study" {
  const texts: Partial<import("../texts/Fill").Texts>;
  export default texts;
}
