import { z } from "zod";

/** Parameters of questions about what a service sent of one type in [from, to). */
export const SeriesRange = z.object({
  orgId: z.uuid(),
  service: z.string(),
  type: z.string(),
  from: z.date(),
  to: z.date(),
});
