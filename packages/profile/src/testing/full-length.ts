import process from "node:process";

/**
 * Whether tests run at their full length, as in `npm run bench:full-length`. `npm test` runs a short version of those that
 * would take minutes: fewer starts, days or rounds of the same.
 */
export const isFullLength = process.env.FULL_LENGTH === "on";

const days = Math.floor(Date.now() / (24 * 60 * 60 * 1000));

/** A third of the rows of a table that a test goes through, another third each day (UTC); all of them at full length. */
export function sampled<Row>(rows: readonly Row[]): readonly Row[] {
  return isFullLength ? rows : rows.filter((_, index) => index % 3 === days % 3);
}
