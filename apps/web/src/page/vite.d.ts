/// <reference types="vite/client" />

/** The English texts of one part of the page: vite.config.ts makes them. */
declare module "texts:*";
