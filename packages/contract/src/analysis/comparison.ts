import { z } from "zod";
import { Instant } from "#base/moments.ts";
import { Count, Quantity } from "#base/values.ts";

const ComparedValue = z
  .object({
    per_second: Quantity.meta({
      description: "Of one instance; for memory and goroutines the mean of the profiles.",
      example: 410_900_000,
    }),
    per_request: Quantity.nullable().meta({
      description: "null unless the service sent HTTP metrics in both ranges.",
      example: 3_120_000,
    }),
  })
  .meta({ id: "ComparedValue" });

export const ChangedFunction = z
  .object({
    name: z.string().meta({ example: "main.hashPrices" }),
    file: z
      .string()
      .meta({ description: "Empty if the profiles have none.", example: "/src/shop/prices.go" }),
    line: Count.meta({ description: "0 if the profiles have none.", example: 41 }),
    self_before: Quantity.meta({ example: 120_400_000 }),
    self_after: Quantity.meta({ example: 354_100_000 }),
    total_before: Quantity.meta({ example: 131_000_000 }),
    total_after: Quantity.meta({ example: 407_450_000 }),
    per_request_before: Quantity.nullable().meta({ description: "Of the total.", example: 1_010_000 }),
    per_request_after: Quantity.nullable().meta({ description: "Of the total.", example: 3_090_000 }),
    share: z.number().meta({ description: "Of the whole increase, by itself.", example: 0.82 }),
    is_new: z.boolean().meta({ description: "It is not in the other range.", example: false }),
  })
  .meta({ id: "ChangedFunction" });

export const Onset = z
  .object({
    at: Instant.meta({ description: "The first profile with the higher value." }),
    version: z.string().nullable().meta({
      description: "First seen between the last profile before and this one; null if no deploy was.",
      example: "v1.9.0",
    }),
  })
  .meta({ id: "Onset" });
export type Onset = z.output<typeof Onset>;

export const Comparison = z
  .object({
    sample_type: z.string().meta({ example: "cpu/nanoseconds" }),
    unit: z.string().meta({ description: "Of the values per second.", example: "nanoseconds per second" }),
    before: ComparedValue,
    after: ComparedValue,
    increase: z.number().nullable().meta({
      description: "Fraction, per second of one instance; null if there was nothing before.",
      example: 0.69,
    }),
    requests_per_second_before: z.number().nullable().meta({ example: 131.5 }),
    requests_per_second_after: z.number().nullable().meta({ example: 133.1 }),
    onset: Onset.nullable().default(null).meta({
      description: "When the increase began; null if there is none, or if it came gradually.",
    }),
    functions: z.array(ChangedFunction).meta({
      description:
        "Functions that grew, values per second of one instance; largest growth of the self value first.",
    }),
  })
  .meta({ id: "Comparison" });
export type Comparison = z.output<typeof Comparison>;
