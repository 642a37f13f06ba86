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
        "Reference in links to flame graphs (`fn`): the name, plus the file if the name occurs in several files: `handler (src/cart.js)`.",
      example: "shop/internal/pricing.hashNumber",
    }),
    service: ServiceName,
    type: GraphType.meta({ description: "Profile type with this function.", example: "cpu" }),
  })
  .meta({ id: "FoundFunction" });
export type FoundFunction = z.output<typeof FoundFunction>;

const endpoint = endpointIn("Profiles");

export const functionEndpoints = [
  endpoint(calls.findFunctions, {
    summary: "Functions by part of their name",
    description:
      "Over the profiles of all services, with services and types of each function. Functions of the last minutes may be missing.",
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
