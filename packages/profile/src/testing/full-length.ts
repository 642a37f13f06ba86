import process from "node:process";

/**
 * Whether tests run at their full length, as in `npm run bench:full-length`. `npm test` runs a short version of those that
 * would take minutes: fewer starts, days or rounds of the same.
 */
export const isFullLength = process.env.FULL_LENGTH === "on";
