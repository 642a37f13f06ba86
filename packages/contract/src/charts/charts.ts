import { z } from "zod";
import { endpointIn } from "#base/endpoint.ts";
import { limits } from "#base/limits.ts";
import { Instant } from "#base/moments.ts";
import { Count, ProfileId, Quantity, ServiceName } from "#base/values.ts";
import { Aggregation, TaggedRangeFields } from "#graphs/flame-graph.ts";
import * as calls from "./calls.ts";

const Frame = z
  .object({
    function_name: z.string().meta({ example: "shop.(*Ledger).Reserve" }),
    package_name: z.string().meta({ example: "shop" }),
    file_name: z.string().meta({ example: "ledger.go" }),
    line_number: Count.meta({ description: "0 if the profile has no line numbers.", example: 41 }),
  })
  .meta({ id: "Frame" });
export type Frame = z.output<typeof Frame>;

const Stack = z.array(Frame).meta({
  description: `Leaf first; at most the first ${limits.chartFramesMax} frames.`,
});

const Percent = z.number().meta({ description: "Of the total.", example: 62.5 });

const Explanation = z.string().meta({
  description: "One sentence on what this type of profile measures and what its stacks mean.",
  example: "Where goroutines waited for locks, and for how long.",
});

const ChartedProfile = z.object({
  profile_id: ProfileId,
  service: ServiceName,
  timestamp: Instant,
  tags: z.record(z.string(), z.string()).meta({ example: { region: "eu" } }),
  duration_ms: z.number().meta({ description: "0 for snapshots.", example: 0 }),
});

const Series = z
  .array(
    z.object({
      profile_id: ProfileId,
      timestamp: Instant,
      tags: z.record(z.string(), z.string()).meta({ example: { region: "eu" } }),
      totals: z.record(z.string(), Quantity).meta({
        description:
          "By sample type: the difference to the profile before for counters, the value for gauges.",
        example: { "goroutine/count": 104 },
      }),
    }),
  )
  .meta({ description: "The profiles of the chart, oldest first." });

const OverRange = {
  service: ServiceName,
  from: Instant,
  to: Instant,
  profiles_merged: Count.meta({
    description: "The latest profiles of the range, at most `limit`.",
    example: 50,
  }),
  series: Series,
};

const Goroutines = {
  explanation: Explanation,
  total: Quantity.meta({ example: 104 }),
  states: z
    .array(
      z.object({
        state: z.string().meta({ example: "chan receive" }),
        count: Quantity.meta({ example: 65 }),
        percent: Percent,
      }),
    )
    .meta({ description: "Most goroutines first." }),
  groups: z
    .array(
      z.object({
        state: z.string().meta({
          description:
            "As in a Go traceback. A goroutine dump (debug=2) has it, and the state of most goroutines counts; otherwise it is derived from the functions at the leaf: chan receive, chan send, select, IO wait, sleep, sync.Mutex.Lock, sync.RWMutex.Lock, sync.RWMutex.RLock, sync.WaitGroup.Wait, sync.Cond.Wait, semacquire, syscall, coroutine, GC, finalizer wait, runnable, running, not recorded (the stack lacks the functions of the runtime, as in Go's text form), unknown.",
          example: "chan receive",
        }),
        count: Quantity.meta({ example: 65 }),
        percent: Percent,
        growth: Quantity.nullable().meta({
          description:
            "Change against the previous profile of the same service and tags; over a range, of the latest profile of each series. null without a previous profile.",
          example: 12,
        }),
        waiting_time_ms: z.number().nullable().meta({
          description:
            "The longest wait, in whole minutes, as a goroutine dump (debug=2) has it; null for shorter waits and in other profiles, which do not contain it.",
          example: null,
        }),
        at: Frame.nullable().meta({ description: "The waiting or running line, outside the runtime." }),
        entry: Frame.nullable().meta({ description: "The entry function of the goroutines." }),
        creator: z.string().nullable().meta({
          description:
            "The function that started most of them, if the profile is a goroutine dump (debug=2) or the name of the entry contains it; else null.",
          example: "main.run",
        }),
        stack: Stack,
      }),
    )
    .meta({ description: "Goroutines with the same stack, largest group first." }),
  groups_total: Count.meta({ example: 14 }),
};

const Contention = {
  explanation: Explanation,
  stack_side: z.enum(["holder", "waiter"]).meta({
    description: "Whether stacks show the code that held the lock, or the code that waited.",
  }),
  contentions: Quantity.meta({ example: 310 }),
  total_delay_ms: z.number().meta({ example: 496 }),
  call_sites: z
    .array(
      z.object({
        call_site: Frame.nullable().meta({ description: "The first line above sync and the runtime." }),
        operation: z
          .string()
          .meta({ description: "The function that it called.", example: "sync.(*Mutex).Unlock" }),
        kind: z.string().meta({
          description:
            "mutex, rwmutex, wait group, condition, once, channel receive, channel send, select, sleep, runtime lock or other.",
          example: "mutex",
        }),
        holder: z.string().nullable().meta({
          description: "The function that held the lock; null if stacks show the code that waited.",
          example: "shop.(*Ledger).Reserve",
        }),
        waiter: z.string().nullable().meta({
          description: "The function that waited; null if stacks show the code that held the lock.",
          example: null,
        }),
        contentions: Quantity.meta({ example: 124 }),
        total_delay_ms: z.number().meta({ example: 310 }),
        mean_delay_ms: z.number().meta({ example: 2.5 }),
        percent: Percent,
        stack_count: Count.meta({ description: "Distinct stacks that lead here.", example: 3 }),
        stack: Stack,
      }),
    )
    .meta({ description: "Longest total delay first." }),
  call_sites_total: Count.meta({ example: 7 }),
};

const Values = z.record(z.string(), Quantity).meta({
  description: "By sample type (type/unit).",
  example: { "shop/open_carts/count": 12 },
});

const Custom = {
  explanation: Explanation,
  sample_types: z.array(
    z.object({ type: z.string(), unit: z.string(), aggregation: Aggregation, total: Quantity }).meta({
      example: { type: "shop/open_carts", unit: "count", aggregation: "mean", total: 12 },
    }),
  ),
  stacks: z
    .array(z.object({ values: Values, percent: Percent, at: Frame.nullable(), stack: Stack }))
    .meta({ description: "Largest first, by the last sample type, to which `percent` refers." }),
  stacks_total: Count.meta({ example: 9 }),
  labels: z
    .array(
      z.object({
        key: z.string().meta({ example: "region" }),
        value: z.string().meta({ example: "eu" }),
        values: Values,
        percent: Percent,
      }),
    )
    .meta({ description: "Totals of the samples with each label, largest first." }),
  labels_total: Count.meta({ example: 4 }),
};

const Covers = z.enum(["window", "process"]).meta({
  description: "Whether the values cover the profile's duration, or the time since the process started.",
});

const id = { profileId: z.string().meta(ProfileId.meta() ?? {}) };

const onProfile = {
  params: z.object(id),
  failures: ["not_found", "unprocessable"],
} as const;

const onService = {
  description:
    "Looks at the latest profiles of the range, at most `limit`. Gauges are averaged over them, everything else is summed.",
  params: z.object({ service: ServiceName }),
  query: z
    .looseObject({
      ...TaggedRangeFields,
      limit: z.coerce.number().int().min(1).max(limits.chartProfilesMax).default(limits.chartProfiles),
    })
    .meta({ description: "`tag.NAME=VALUE` keeps profiles with that tag." }),
} as const;

export const GoroutineChart = z
  .object({
    profile: ChartedProfile,
    previous: z
      .object({ profile_id: ProfileId, timestamp: Instant, total: Quantity.meta({ example: 92 }) })
      .nullable()
      .meta({ description: "The earlier profile for `growth`." }),
    ...Goroutines,
  })
  .meta({ id: "GoroutineChart" });
export type GoroutineChart = z.output<typeof GoroutineChart>;

export const ServiceGoroutines = z
  .object({ ...OverRange, aggregation: Aggregation, ...Goroutines })
  .meta({ id: "ServiceGoroutines" });
export type ServiceGoroutines = z.output<typeof ServiceGoroutines>;

export const ContentionChart = z
  .object({ profile: ChartedProfile, covers: Covers, ...Contention })
  .meta({ id: "ContentionChart" });
export type ContentionChart = z.output<typeof ContentionChart>;

export const ServiceContention = z
  .object({ ...OverRange, aggregation: Aggregation, ...Contention })
  .meta({ id: "ServiceContention" });
export type ServiceContention = z.output<typeof ServiceContention>;

export const CustomChart = z.object({ profile: ChartedProfile, ...Custom }).meta({ id: "CustomChart" });
export type CustomChart = z.output<typeof CustomChart>;

export const ServiceCustom = z
  .object({
    ...OverRange,
    labels_profiles: Count.meta({
      description: "Number of profiles whose labels were read: all, or only the latest if they are large.",
      example: 50,
    }),
    ...Custom,
  })
  .meta({ id: "ServiceCustom" });
export type ServiceCustom = z.output<typeof ServiceCustom>;

const endpoint = endpointIn("Charts");

export const chartEndpoints = [
  endpoint(calls.goroutineChart, {
    ...onProfile,
    summary: "Goroutines of one profile, by stack",
    reply: GoroutineChart,
  }),
  endpoint(calls.serviceGoroutines, {
    ...onService,
    summary: "Goroutines of a service, by stack",
    reply: ServiceGoroutines,
  }),
  endpoint(calls.mutexChart, {
    ...onProfile,
    summary: "Where locks of one profile were held while others waited",
    reply: ContentionChart,
  }),
  endpoint(calls.serviceMutex, {
    ...onService,
    summary: "Where locks of a service are held while others wait",
    reply: ServiceContention,
  }),
  endpoint(calls.blockChart, {
    ...onProfile,
    summary: "Where goroutines of one profile waited",
    reply: ContentionChart,
  }),
  endpoint(calls.serviceBlock, {
    ...onService,
    summary: "Where goroutines of a service wait",
    reply: ServiceContention,
  }),
  endpoint(calls.customChart, {
    ...onProfile,
    summary: "Values of one custom profile, by stack and by label",
    reply: CustomChart,
  }),
  endpoint(calls.serviceCustom, {
    ...onService,
    summary: "Custom values of a service, by stack and by label",
    reply: ServiceCustom,
  }),
] as const;
