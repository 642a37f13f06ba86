import { z } from "zod";
import { dayMs, minuteMs } from "./durations.ts";
import { limits } from "./limits.ts";
import { impossibleTime, spanMs } from "./time.ts";

const spanMsMax = limits.sinceDaysMax * dayMs;

/** How far back to look: `24h`, `7d`, `90m`. */
export const Since = z
  .string()
  .refine(
    (span) => {
      const ms = spanMs(span);
      return ms !== undefined && ms > 0 && ms <= spanMsMax;
    },
    { error: `since must be a span of time such as 90m, 24h or 7d, at most ${limits.sinceDaysMax} days` },
  )
  .meta({ description: "How far back to look: a number and s, m, h or d.", example: "24h" });

/** ISO 8601 in UTC. */
export const Instant = z.iso
  .datetime({ offset: true })
  .meta({ description: "ISO 8601, UTC.", example: "2026-11-20T10:00:00.000Z" });

const Iso = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);

const unixMsPattern = /^\d{12,14}$/;

/** The accepted forms of a point in time, for messages. */
export const momentFormats =
  "a span back from now such as 90m, 24h or 7d, an ISO 8601 time such as 2026-11-20T10:00:00Z, Unix milliseconds, or now";

/** A point in time as `24h` (before now), ISO 8601, Unix milliseconds or `now`; `name` goes into the message. */
export function moment(name: string) {
  return z
    .string()
    .refine(
      (text) =>
        text === "now" ||
        spanMs(text) !== undefined ||
        unixMsPattern.test(text) ||
        Iso.safeParse(text).success,
      {
        error: ({ input }) => {
          const reason = impossibleTime(String(input));
          return reason === undefined ? `${name} must be ${momentFormats}` : `${name} ${reason}`;
        },
      },
    )
    .meta({ description: `A point in time: ${momentFormats}.`, example: "24h" });
}

/**
 * Query parameters of calls over a range. It begins at `from`, here `defaultFrom` by default, and ends before `to`, now by
 * default.
 */
export function rangeFields(defaultFrom: string) {
  return {
    since: Since.optional().meta({
      description: "How far back to look. Overrides `from`.",
      example: "24h",
    }),
    from: moment("from").default(defaultFrom),
    to: moment("to").default("now"),
  };
}

/** Fields of replies in buckets: which of them are complete. Sums of others are too small. */
export const completeFields = {
  complete_from: Instant.meta({
    description: "Start of the first complete bucket in the range; after `complete_to` if none is complete.",
  }),
  complete_to: Instant.meta({
    description: "End of the last complete bucket in the range; the next one may still fill.",
  }),
};

/** Fields of replies in buckets of a width that the request names. */
export const bucketFields = {
  bucket: z.string().meta({ description: "Width of one point.", example: "15m" }),
  bucket_widened: z.boolean().meta({
    description: "True if the requested bucket would have given more than 11,000 points.",
    example: false,
  }),
  from: Instant.meta({ description: "Start of the first bucket." }),
  to: Instant.meta({ description: "End of the last bucket." }),
  ...completeFields,
};

const bucketMsMax = 30 * dayMs;

export const Bucket = z
  .string()
  .refine(
    (text) => {
      const ms = spanMs(text);
      return ms !== undefined && ms >= minuteMs && ms % minuteMs === 0 && ms <= bucketMsMax;
    },
    { error: "bucket must be a span of whole minutes such as 1m, 5m, 15m, 30m, 1h or 4h, at most 30d" },
  )
  .meta({ description: "Width of one point: whole minutes, at most 30d.", example: "15m" });
