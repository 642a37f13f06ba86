import { z } from "zod";

/** Row schemas for the JSON of ClickHouse: 64-bit integers as strings, times as `YYYY-MM-DD hh:mm:ss`. */

/** A count that fits a double exactly; more is an error, never a rounded number. */
export const Count = z.union([z.string(), z.int()]).transform((value, context) => {
  const count = Number(value);
  if (Number.isSafeInteger(count)) return count;
  context.addIssue({ code: "custom", message: `${value} does not fit 53 bits` });
  return z.NEVER;
});

/** Any 64-bit integer, signed or not. */
export const Int64 = z.union([z.string().regex(/^-?\d+$/), z.int()]).transform((value) => BigInt(value));

/** DateTime or DateTime64 in UTC. */
export const Instant = z.string().transform((text, context) => {
  const instant = new Date(`${text.replace(" ", "T")}Z`);
  if (!Number.isNaN(instant.getTime())) return instant;
  context.addIssue({ code: "custom", message: `${text} is not a time` });
  return z.NEVER;
});

/** A calendar day as a parameter or a row: `YYYY-MM-DD`. */
export const Day = z.iso.date();

/** Little-endian 64-bit words as base64, the transport of `stacks_b64` and `frame_ids_b64`. */
export function toWordsBase64(words: BigUint64Array | BigInt64Array): string {
  return Buffer.from(words.buffer, words.byteOffset, words.byteLength).toString("base64");
}

/** Parameters of queries about a service in [from, to): whole minutes as Unix seconds. */
export const MinuteRange = z.object({
  orgId: z.uuid(),
  service: z.string(),
  fromSeconds: z.int(),
  toSeconds: z.int(),
});

/** Parameters of queries about the profiles of a service and type in [from, to). */
export const SeriesRange = z.object({
  orgId: z.uuid(),
  service: z.string(),
  type: z.string(),
  from: z.date(),
  to: z.date(),
});
