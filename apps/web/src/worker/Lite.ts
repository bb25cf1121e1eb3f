/** All of LiteRT.js, in a file of its own name: what is fetched when it is asked for, and kept from then on. */

export { LiteModel } from "./LiteModel";
export { start } from "./LiteRt";
