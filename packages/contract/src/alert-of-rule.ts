import { z } from "zod";

/** The rule that opened an alert, as it was then: it may have been changed or deleted since. */
export const alertOfRule = z
  .object({
    id: z.uuid().meta({ example: "7d1f4c52-0c0b-4a3e-9d0c-9b8f5f0a6c21" }),
    name: z.string().meta({ example: "Heap too large" }),
    condition: z.string().meta({
      description: "The comparison and the threshold in a readable unit.",
      example: "above 2 GB",
    }),
    comparison: z.enum(["above", "below"]).meta({ example: "above" }),
    threshold: z.number().meta({ description: "In the unit of the alert's values.", example: 2_147_483_648 }),
    minutes: z.int().meta({ description: "How long values had to be beyond the threshold.", example: 10 }),
    tags: z.record(z.string(), z.string()).meta({ example: { env: "production" } }),
    ended: z.enum(["changed", "disabled", "removed"]).optional().meta({
      description: "What people did to the rule, which resolved the alert. Absent if values came back.",
    }),
  })
  .optional()
  .meta({
    description:
      "A rule that people set opened the alert: it is no regression, `previous_value` is the threshold, and `increase` says how " +
      "far the value is from it. Absent for all others.",
  });
