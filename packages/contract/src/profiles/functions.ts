import { z } from "zod";
import { endpointIn } from "#base/endpoint.ts";
import { limits } from "#base/limits.ts";
import { rangeFields } from "#base/moments.ts";
import { GraphType } from "#base/profile-type-schemas.ts";
import { ServiceName, wholeNumber } from "#base/values.ts";
import * as calls from "./calls.ts";

const FoundFunction = z
  .object({
    name: z.string().meta({ example: "shop/internal/pricing.hashNumber" }),
    file: z.string().meta({
      description: "Two functions of one name are in different files. Empty if it is not known.",
      example: "/src/shop/internal/pricing/hash.go",
    }),
    ref: z.string().meta({
      description:
        "What a link to a flame graph calls it (`fn`): its name, with its file where other files may have the same name: `handler (src/cart.js)`.",
      example: "shop/internal/pricing.hashNumber",
    }),
    service: ServiceName,
    type: GraphType.meta({ description: "The type of profile that has it.", example: "cpu" }),
  })
  .meta({ id: "FoundFunction" });
export type FoundFunction = z.output<typeof FoundFunction>;

const endpoint = endpointIn("Profiles");

export const functionEndpoints = [
  endpoint(calls.findFunctions, {
    summary: "Functions by a part of their name",
    description:
      "In the profiles of all services, with the services and types that have each. An hour is complete once it is over; of the last minutes, a function may be missing.",
    query: z.object({
      ...rangeFields("24h"),
      q: z
        .string({
          error: ({ code }) =>
            code === "invalid_type" ? "q is required: a part of the function's name" : undefined,
        })
        .trim()
        .min(limits.functionSearchLengthMin)
        .max(limits.searchLengthMax)
        .meta({ description: "In any case. A mangled name finds its function, too.", example: "hashnum" }),
      limit: wholeNumber(limits.functionsMax, limits.functions),
    }),
    reply: z.object({
      functions: z.array(FoundFunction).meta({
        description: "Names that begin with `q` after their package first, then shorter names; CPU first.",
      }),
    }),
  }),
] as const;
