/** The plain JavaScript backend, in a file of its own name. */

export * as cpu from "@tensorflow/tfjs-backend-cpu";
