import { z } from "zod";
import { endpointIn } from "#base/endpoint.ts";
import { limits } from "#base/limits.ts";
import { Instant, rangeFields } from "#base/moments.ts";
import { ProfileType } from "#base/profile-type-schemas.ts";
import { Count, LabelName, ServiceName } from "#base/values.ts";
import * as calls from "./calls.ts";
import { routeTimeParts } from "./calls.ts";
import { routeFields } from "./http-metrics.ts";

const Part = z
  .object({
    part: z.enum(routeTimeParts).meta({
      description:
        "`cpu`: time on the CPU. `lock`: waits for mutexes. `wait`: waits for channels, other goroutines and other events of block profiles.",
      example: "cpu",
    }),
    seconds: z.number().nullable().meta({
      description: "Mean per request; null with a `reason` if profiles do not contain it.",
      example: 0.0121,
    }),
    profile_type: ProfileType.nullable().meta({
      description: "The profiles that were read; null if the range has none.",
      example: "cpu",
    }),
    profiles: Count.meta({ example: 96 }),
    profiled_seconds: z.number().meta({ description: "The time of these profiles together.", example: 960 }),
    requests: Count.nullable().meta({
      description: "Requests while these profiles were taken, estimated from at most 200 of them.",
      example: 4210,
    }),
    found_by: z.enum(["label", "function"]).nullable().meta({
      description:
        "How samples of the route were identified. `function`: profiles without labels, by a function that runs only in this route's labeled samples.",
      example: "label",
    }),
    function: z.string().nullable().meta({
      description: "With `found_by` `function`: the function, as links to flame graphs refer to it.",
      example: null,
    }),
    reason: z.string().nullable().meta({
      description: "Why `seconds` is null: a clause, without a capital and a full stop.",
      example: null,
    }),
  })
  .meta({ id: "RouteTimePart" });
export type RouteTimeOfPart = z.output<typeof Part>;

export const RouteTime = z
  .object({
    service: ServiceName,
    from: Instant,
    to: Instant,
    path: z.string().meta({ example: "/orders/{id}" }),
    method: z.string().nullable().meta({
      description:
        "Method of the counted requests; null for all methods of the path, if the label does not name a method.",
      example: "GET",
    }),
    methods: z
      .array(z.object({ method: z.string().meta({ example: "GET" }), requests: Count }))
      .meta({ description: "Methods of the path in the range, most requests first." }),
    requests: Count.meta({ description: "Of the range, with `method`.", example: 18_400 }),
    mean_seconds: z.number().nullable().meta({ description: "null without requests.", example: 0.0421 }),
    label: z
      .object({
        name: z.string().meta({ example: "handler" }),
        value: z.string().meta({ example: "/orders/{id}" }),
      })
      .nullable()
      .meta({ description: "The CPU sample label that names the route; null without one." }),
    labels: z
      .array(
        z.object({
          name: z.string().meta({ example: "handler" }),
          values: z.array(z.string()).meta({ example: ["/orders/{id}", "/orders"] }),
        }),
      )
      .meta({
        description: `Labels of the CPU samples of the range with their values, largest first; at most ${limits.labelKeysMax} of ${limits.labelValuesMax}.`,
      }),
    parts: z.array(Part).meta({ description: "`cpu`, `lock` and `wait`, in this order." }),
  })
  .meta({ id: "RouteTime" });
export type RouteTime = z.output<typeof RouteTime>;

const endpoint = endpointIn("HTTP metrics");

export const routeTimeEndpoints = [
  endpoint(calls.routeTime, {
    summary: "The mean latency of a route, divided into CPU, locks and other waits",
    description:
      "The samples of the route in the CPU, block and mutex profiles of the range, divided by the requests of the route while these profiles were taken. Work in parallel counts in full, so the parts together may exceed the latency.",
    params: z.object({ service: ServiceName }),
    query: z.object({
      ...routeFields,
      ...rangeFields("24h"),
      label: LabelName.optional().meta({
        description:
          "The label that names the route. By default `http.route`, `handler`, `route`, `endpoint` or another label with a matching value.",
        example: "handler",
      }),
      label_value: z.string().min(1).max(limits.labelValueLengthMax).optional().meta({
        description: "The value of `label` for this route. By default the one that matches its name.",
        example: "/orders/{id}",
      }),
    }),
    reply: RouteTime,
  }),
] as const;
