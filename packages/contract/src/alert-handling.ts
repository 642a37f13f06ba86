import { z } from "zod";
import { Instant } from "./time.ts";

const Handled = z
  .object({
    by: z.string().nullable().meta({
      description: "null if the account no longer exists.",
      example: "Ada Lovelace",
    }),
    at: Instant,
  })
  .meta({ id: "Handled", description: "Who did something about an alert, and when." });

/** Acknowledgement and acceptance of an alert. */
export const alertHandling = {
  acknowledged: Handled.optional().meta({ description: "Absent if nobody works on it." }),
  expected: Handled.optional().meta({
    description: "Who marked it as expected, which resolved it. Absent if nobody did.",
  }),
};
