import { z } from "zod";
import { Count, Quantity } from "#base/values.ts";

export const GrownFunction = z
  .object({
    name: z.string().meta({ example: "main.hashPrices" }),
    self_before: Quantity.meta({ example: 120_400_000 }),
    self_after: Quantity.meta({ example: 354_100_000 }),
    total_before: Quantity.meta({ example: 131_000_000 }),
    total_after: Quantity.meta({ example: 407_450_000 }),
    share: z.number().meta({ description: "Of the whole increase, by itself.", example: 0.82 }),
    total_share: z
      .number()
      .meta({ description: "Of the whole increase, with what it calls.", example: 0.97 }),
  })
  .meta({
    id: "GrownFunction",
    description:
      "Values in the unit of the alert's values. Of goroutine, mutex and block profiles, the self value is that of the " +
      "first function outside of the runtime and sync, in which goroutines wait.",
  });

export const Culprit = z
  .object({
    name: z.string().meta({ example: "main.priceCart" }),
    file: z.string().meta({ description: "As the profiles name it; may be empty.", example: "/app/cart.go" }),
    line: Count.meta({ description: "Where most of the increase is; 0 if it is not known.", example: 47 }),
    share: z.number().meta({ description: "Of the whole increase, with what it calls.", example: 0.97 }),
    path: z
      .array(z.string())
      .optional()
      .meta({
        description:
          "How it is called on the stack that grew most, from the root, with itself. Absent for alerts of earlier versions.",
        example: ["main.main", "main.checkout", "main.priceCart"],
      }),
  })
  .meta({
    id: "Culprit",
    description:
      "The application's function, nearest to the leaf of the stacks that grew, with the largest share of the increase. Functions of " +
      "the runtime, the standard library and dependencies are passed over.",
  });
