import { z } from "zod";
import { Instant } from "#store/column/values.ts";

/** One request as it is stored. */
export const RequestRow = z.object({
  at: Instant,
  duration_seconds: z.number(),
  status_code: z.int(),
  method: z.string(),
  path: z.string(),
  request_id: z.string(),
});
export type RequestRow = z.output<typeof RequestRow>;
