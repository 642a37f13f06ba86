import { z } from "zod";
import { endpointIn } from "#base/endpoint.ts";
import { limits } from "#base/limits.ts";
import { Instant } from "#base/moments.ts";
import { hiddenInLineRule, isReadableLine, isServiceName, normalServiceName } from "#base/readable.ts";
import { Count, givenName } from "#base/values.ts";
import * as calls from "./calls.ts";
import { hostName, httpUrl, pathPrefix } from "./target-addresses.ts";

const TargetId = z.uuid().meta({ example: "9a1f2f6e-53c8-4b0b-8d55-0d6c1f7d2b11" });

const Scheme = z.enum(["http", "https"]).default("http").meta({ example: "http" });

const ByUrl = z.strictObject({
  kind: z.literal("url"),
  url: httpUrl("url")
    .refine((text) => !text.includes("?") || /\/debug\/pprof(\/[^?]*)?\?/.test(text), {
      error: "url must have no query, unless it is the address of a profile",
    })
    .meta({
      description: "Address of one process. Its path comes before `/debug/pprof`.",
      example: "http://checkout.internal:6060",
    }),
});

const ByDns = z
  .strictObject({
    kind: z.literal("dns"),
    name: z
      .string()
      .trim()
      .regex(hostName, { error: "name must be a DNS name such as checkout.default.svc.cluster.local" })
      .meta({ example: "checkout.default.svc.cluster.local" }),
    record: z.enum(["A", "AAAA", "SRV"]).default("A").meta({
      description: "Each address, or each entry of an SRV record, is a process.",
      example: "A",
    }),
    port: z.int().min(1).max(65_535).nullable().default(null).meta({
      description: "Required, except with SRV, whose entries have ports.",
      example: 6060,
    }),
    scheme: Scheme,
  })
  .refine(({ record, port }) => (record === "SRV") === (port === null), {
    error: "port is required for records A and AAAA, and must be left out for SRV, whose entries have ports",
  });

const ByHttp = z.strictObject({
  kind: z.literal("http"),
  url: httpUrl("url").meta({
    description: "Replies with a JSON list as for Prometheus' `http_sd`: `[{ targets, labels }]`.",
    example: "https://inventory.example.com/targets.json",
  }),
  scheme: Scheme,
});

const ByPods = z.strictObject({
  kind: z.literal("kubernetes"),
  namespace: z
    .string()
    .trim()
    .regex(/^[a-z0-9-]{0,63}$/, { error: "namespace must be the name of a namespace, or empty for all" })
    .default("")
    .meta({ description: "Empty: all that the service account may list.", example: "default" }),
  selector: z
    .string()
    .trim()
    .max(500)
    .refine(isReadableLine, { error: `selector ${hiddenInLineRule}` })
    .default("")
    .meta({ description: "A label selector as for `kubectl get pods -l`.", example: "team=payments" }),
  annotations: z.enum(["profiles.grafana.com", "prometheus.io"]).default("profiles.grafana.com").meta({
    description:
      "Which annotations of pods count: `profiles.grafana.com/cpu.scrape` and the like, or `prometheus.io/scrape` with `prometheus.io/port`.",
    example: "profiles.grafana.com",
  }),
});

const TargetSource = z.discriminatedUnion("kind", [ByUrl, ByDns, ByHttp, ByPods]);
export type TargetSource = z.output<typeof TargetSource>;

const headerName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
/** Headers that the client itself sends, or that decide how the connection is used. */
const ownHeaders = new Set([
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "accept-encoding",
  "upgrade",
  "expect",
  "te",
]);

const HeaderName = z
  .string()
  .trim()
  .regex(headerName, { error: "A header's name may have letters, digits and - only" })
  .refine((name) => !ownHeaders.has(name.toLowerCase()), {
    error:
      "Host, Connection, Content-Length, Transfer-Encoding, Accept-Encoding, Upgrade, Expect and TE cannot be set",
  })
  .meta({ example: "Authorization" });

const Tags = z
  .record(z.string().min(1).max(limits.tagNameLengthMax), z.string().min(1).max(1024))
  .refine((tags) => Object.keys(tags).length <= limits.targetTagsMax, {
    error: `tags may have at most ${limits.targetTagsMax} names`,
  })
  .refine((tags) => !("instance" in tags), { error: "tags must not have instance, which the server sets" })
  .refine((tags) => Object.entries(tags).flat().every(isReadableLine), { error: `tags ${hiddenInLineRule}` })
  .default({})
  .meta({ example: { env: "production" } });

const Profiles = z
  .array(z.enum(calls.targetProfiles))
  .min(1, { error: "profiles must name at least one profile" })
  .refine((names) => new Set(names).size === names.length, { error: "profiles must not repeat a name" })
  .refine(
    (names) =>
      calls.targetAlternatives.every((group) => names.filter((name) => group.includes(name)).length <= 1),
    {
      error: `profiles must have at most one of ${calls.targetAlternatives.map((group) => group.join(", ")).join("; ")}: they have the same figures`,
    },
  )
  .default(["cpu", "heap", "goroutine", "mutex", "block"])
  .meta({ example: ["cpu", "heap", "goroutine"] });

const definition = {
  name: givenName("Target name", limits.targetNameLengthMax).meta({ example: "checkout, production" }),
  service: z
    .string()
    .overwrite(normalServiceName)
    .refine((name) => name === "" || isServiceName(name), {
      error: "service must be the name of a service such as checkout, or empty",
    })
    .default("")
    .meta({
      description:
        "Required for a URL and for DNS. Empty: the label `service_name`, `service` or `job` of the list, or the app's label of the pod.",
      example: "checkout",
    }),
  source: TargetSource,
  interval_seconds: z
    .int()
    .min(limits.targetIntervalSecondsMin)
    .max(limits.targetIntervalSecondsMax)
    .default(15)
    .meta({ description: "CPU is profiled for a second less, for a minute at most.", example: 15 }),
  profiles: Profiles,
  tags: Tags,
  path_prefix: pathPrefix,
  tls: z
    .strictObject({
      ca: z.string().max(limits.targetCaLengthMax).default("").meta({
        description: "Certificates in PEM that are trusted in place of the system's. Empty: the system's.",
        example: "",
      }),
      skip_verification: z.boolean().default(false).meta({
        description: "Accept any certificate: somebody in between could then read the headers.",
        example: false,
      }),
    })
    .default({ ca: "", skip_verification: false }),
  is_enabled: z.boolean().default(true).meta({ example: true }),
};

/** A value is write-only: it is encrypted, and no reply contains it. */
const GivenHeaders = z
  .array(
    z.strictObject({
      name: HeaderName,
      value: z
        .string()
        .max(limits.targetHeaderLengthMax)
        .regex(/^[\t\x20-\x7e\x80-\xff]*$/, {
          error: "A header's value must be one line of Latin characters",
        })
        .nullable()
        .meta({ description: "null: as it is stored.", example: "Bearer ..." }),
    }),
  )
  .max(limits.targetHeadersMax)
  .refine((headers) => new Set(headers.map(({ name }) => name.toLowerCase())).size === headers.length, {
    error: "headers must not repeat a name",
  })
  .default([]);

const Definition = z.object(definition);
export type TargetDefinition = z.output<typeof Definition>;

function withService<T extends z.ZodType<TargetDefinition>>(schema: T) {
  return schema.refine(
    ({ service, source: { kind } }) => service !== "" || kind === "http" || kind === "kubernetes",
    { error: "service is required for a URL and for DNS", path: ["service"] },
  );
}

const Given = withService(Definition.extend({ headers: GivenHeaders }));
export type GivenTarget = z.output<typeof Given>;

const TargetInstance = z
  .object({
    instance: z.string().meta({ description: "Host and port.", example: "10.1.2.3:6060" }),
    service: z.string().meta({ example: "checkout" }),
    last_scrape_at: Instant.nullable().meta({
      description: "Start of the last scrape; null before the first.",
    }),
    duration_ms: Count.nullable().meta({ description: "Of the last scrape.", example: 14_030 }),
    profiles: Count.meta({ description: "Stored by the last scrape.", example: 5 }),
    error: z.string().nullable().meta({
      description: "Why the last scrape failed, wholly or in part, and what to do.",
      example:
        "10.1.2.3:6060 refuses connections. Check the port, and that the process serves net/http/pprof.",
    }),
    next_scrape_at: Instant.nullable().meta({ description: "null while nothing is pulled." }),
  })
  .meta({ id: "TargetInstance" });
export type TargetInstance = z.output<typeof TargetInstance>;

const Target = z
  .object({
    id: TargetId,
    ...definition,
    header_names: z.array(z.string()).meta({ description: "Their values are never returned.", example: [] }),
    changed_at: Instant,
    instances: z.array(TargetInstance).meta({
      description: `At most ${limits.targetInstancesListed}, those with errors first.`,
    }),
    instance_count: Count.meta({ example: 3 }),
    failing: Count.meta({
      description: "Instances whose last scrape failed, wholly or in part.",
      example: 0,
    }),
    discovery_error: z.string().nullable().meta({
      description:
        "Why its processes could not be found, or entries of its list are left out, and what to do. If none is found, the processes found before are kept.",
      example: null,
    }),
  })
  .meta({ id: "Target" });
export type Target = z.output<typeof Target>;

const TestedInstance = z.object({
  instance: z.string().meta({ example: "10.1.2.3:6060" }),
  service: z.string().meta({ example: "checkout" }),
  profiles: z.array(
    z.object({
      profile: z.enum(calls.targetProfiles).meta({ example: "heap" }),
      bytes: Count.meta({ example: 72_100 }),
      error: z.string().nullable().meta({ example: null }),
    }),
  ),
});
export type TestedInstance = z.output<typeof TestedInstance>;

const endpoint = endpointIn("Ingestion");
const params = z.object({ id: z.string().meta(TargetId.meta() ?? {}) });
const TargetReply = z.object({ target: Target });

export const targetEndpoints = [
  endpoint(calls.listTargets, {
    summary: "Targets from which the server pulls profiles, and their state",
    description: "By name. The state is a few seconds old.",
    reply: z.object({
      is_on: z.boolean().meta({ description: "Whether this server pulls at all (`PULL`).", example: true }),
      targets: z.array(Target),
      targets_max: Count.meta({ example: limits.targetsMax }),
    }),
  }),
  endpoint(calls.createTarget, {
    summary: "Create a target",
    description:
      "The server pulls the profiles at `/debug/pprof` of each process that the source names, and stores them as if they had been sent.",
    body: Given,
    reply: TargetReply,
    status: 201,
    failures: ["quota_exceeded"],
  }),
  endpoint(calls.updateTarget, {
    summary: "Change a target",
    description:
      "Replaces all fields. Headers whose value is null keep the stored value, unless `source` or `tls` changes: their values must then be given again.",
    params,
    body: Given,
    reply: TargetReply,
    failures: ["not_found"],
  }),
  endpoint(calls.removeTarget, {
    summary: "Delete a target",
    description: "Its profiles stay.",
    params,
    reply: z.object({ id: TargetId, name: z.string().meta({ example: "checkout, production" }) }),
    failures: ["not_found"],
  }),
  endpoint(calls.testTarget, {
    summary: "Find the processes of a target, and pull each profile once",
    description:
      "At most three processes, CPU for a second. Nothing is stored: neither the target nor its profiles.",
    body: withService(
      Definition.extend({
        headers: GivenHeaders,
        id: TargetId.nullable().default(null).meta({
          description:
            "The target whose stored headers are used where a value is null. Refused with another `source` or `tls`.",
        }),
      }),
    ),
    reply: z.object({
      error: z.string().nullable().meta({
        description: "Why no process was found, or entries of the list are left out.",
        example: null,
      }),
      instance_count: Count.meta({ example: 3 }),
      instances: z.array(TestedInstance),
    }),
    failures: ["not_found", "rate_limited"],
  }),
] as const;
