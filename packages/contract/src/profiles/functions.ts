import { z } from "zod";
import { endpointIn } from "#base/endpoint.ts";
import { limits } from "#base/limits.ts";
import { Instant, rangeFields } from "#base/moments.ts";
import { GraphType } from "#base/profile-type-schemas.ts";
import { Count, ServiceName, Texts, wholeNumber } from "#base/values.ts";
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

const cost = z
  .number()
  .meta({ description: "Over the range, in `unit`, with the functions that it calls.", example: 4.1 });

const CostUnit = z
  .enum(["cores", "seconds_per_second", "bytes", "bytes_per_second", "count", "per_second"])
  .meta({
    description: "Of all costs. `seconds_per_second` is time that passed, of waiting for example.",
    example: "cores",
  });
export type CostUnit = z.output<typeof CostUnit>;

const SharedFunction = z
  .object({
    name: z.string().meta({ example: "encoding/json.Marshal" }),
    ref: z.string().meta({
      description: "The name by which a link to a flame graph selects it (`fn`).",
      example: "encoding/json.Marshal",
    }),
    file: z.string().meta({
      description: "Empty if it is not known.",
      example: "/usr/local/go/src/encoding/json/encode.go",
    }),
    package: z.string().meta({
      description: "The folder of the file where names have no package. Empty if it is not known.",
      example: "encoding/json",
    }),
    category: z.string().meta({
      description: "As in the statistics of a profile: `standard_library`, `third_party`, `runtime`, `json`.",
      example: "json",
    }),
    total: cost,
    self: z.number().meta({ description: "Without the functions that it calls.", example: 0.2 }),
    services_total: Count.meta({ description: "Services that have it.", example: 12 }),
    services: z
      .array(z.object({ name: ServiceName, total: cost, share: z.number().meta({ example: 0.18 }) }))
      .meta({
        description:
          "The services with the largest totals, at most `services_limit`. `share` is the fraction of the service's total.",
      }),
  })
  .meta({ id: "SharedFunction" });
export type SharedFunction = z.output<typeof SharedFunction>;

/** The types of profiles whose values of several services have one meaning. */
const ComparableType = GraphType.exclude(["custom"]);

const endpoint = endpointIn("Profiles");

export const functionEndpoints = [
  endpoint(calls.findFunctions, {
    summary: "Functions by part of their name",
    description:
      "Over the profiles of all services, with services and types of each function. Functions of the last minutes may be missing. In an organization with over 50 services with CPU profiles, the 50 with the most CPU are read first: a function that has as many places in them as are listed is not looked for in the others, whatever the type.",
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
  endpoint(calls.sharedFunctions, {
    isOpenToOtherOrganizations: true,
    summary: "Functions by their cost over all services",
    description:
      "Library functions that several services have, by their cost in all of them. A stack counts for a library function if the service's own code, or another library, calls the function below the last function of the service's own code: for `json.Marshal`, and not for its inner functions or for a server that calls the handlers. A stack without own code counts from its root. A cost includes called functions, so that the costs of several functions overlap. CPU time is in cores, CPU time divided by the profiles' duration, of one instance of each service; gauges such as memory in use are the mean of a profile; other values are per second.",
    query: z.object({
      ...rangeFields("1h"),
      type: ComparableType.default("cpu").meta({ example: "cpu" }),
      service: Texts.meta({
        description: `Only these services; may be given up to ${limits.functionServicesMax} times. All if it is left out.`,
        example: "checkout",
      }),
      project: Texts.meta({
        description: `Only the services of these created projects, besides those of \`service\`; may be given up to ${limits.functionProjectsMax} times.`,
        example: "5f0c1b5e-54a0-4a6e-9d0a-0f0b6f1f2a11",
      }),
      services_limit: wholeNumber(limits.countedServicesMax, limits.servicesOfFunction).meta({
        description: "Services that are listed for each function.",
      }),
      scope: z.enum(["libraries", "all"]).default("libraries").meta({
        description:
          "`libraries`: entry points of libraries, by total. `all`: every function, by self; a stack counts once for each function in it.",
      }),
      services_min: wholeNumber(limits.functionServicesMax, 2).meta({
        description: "Only functions that at least this many services have.",
      }),
      q: z.string().trim().max(limits.searchLengthMax).default("").meta({
        description: "A part of the function's name, in any case.",
        example: "json",
      }),
      limit: wholeNumber(limits.functionsMax, 50),
    }),
    reply: z.object({
      from: Instant,
      to: Instant,
      unit: CostUnit,
      total: z.number().meta({ description: "Of all services, counted or not.", example: 31.4 }),
      covered: z.number().meta({
        description:
          "The fraction of `total` in the stacks that were read: the largest ones of each counted service. The rest is in no function.",
        example: 1,
      }),
      services_total: Count.meta({ description: "Services with profiles of this type.", example: 50 }),
      services_counted: Count.meta({
        description: `Services whose functions are added up: those with the largest costs, at most ${limits.countedServicesMax}.`,
        example: 50,
      }),
      functions_total: Count.meta({ description: "Functions that match, listed or not.", example: 214 }),
      functions: z.array(SharedFunction).meta({ description: "Largest first." }),
    }),
    failures: ["not_found"],
  }),
] as const;
