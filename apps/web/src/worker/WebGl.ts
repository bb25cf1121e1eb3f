/** The WebGL backend, in a file of its own name. */

export * as webgl from "@tensorflow/tfjs-backend-webgl";
