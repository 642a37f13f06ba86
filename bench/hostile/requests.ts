import { type Endpoint, ingestHttpMetrics, ingestPyroscope, pushProfiles, toPath } from "@flamekeep/contract";
import { endpointOf, endpoints } from "@flamekeep/contract/schemas";
import {
  formType,
  type HostileBody,
  hostileContainers,
  hostileForm,
  hostileJson,
  hostileProfiles,
  hostilePushes,
  largeMetrics,
  largeProfile,
  pushOf,
  sentAs,
  withNoise,
} from "@flamekeep/server/testing/hostile-bodies";

const MiB = 1024 * 1024;
/** The limits of a server without settings. */
const limits = {
  json: 64 * 1024,
  upload: 16 * MiB,
  metrics: 16 * MiB,
  metricsCount: 25_000,
  profile: 64 * MiB,
  samples: 250_000,
  framesPerSample: 60,
};
/** From here on a profile is refused that compresses too well. */
const noiseFrom = 16 * MiB;

export interface HostileRequest {
  readonly what: string;
  readonly path: string;
  readonly method: string;
  readonly auth: Endpoint["auth"];
  readonly contentType: string;
  readonly body: Buffer;
}

type Content = "json" | "binary" | "form";

const calls = endpoints.filter(({ method }) => method !== "GET");
const metrics = endpointOf(ingestHttpMetrics);
const push = endpointOf(pushProfiles);
const uploads = calls.filter(({ upload }) => upload !== undefined);

/** Requests of every kind that are large enough to compile the code that reads them, and small enough to leave little. */
export function* warmUps(): Generator<HostileRequest> {
  const bodies: [HostileBody, Content][] = [
    ...hostileJson(MiB, new Date()).map((body): [HostileBody, Content] => [body, "json"]),
    ...sentAs(hostileProfiles(2 * MiB + 100), 0).map((body): [HostileBody, Content] => [body, "binary"]),
  ];
  for (const [body, content] of bodies) {
    for (const call of uploads) yield requestTo(call, body, content);
  }
}

/** The most expensive ones first, made one after the other: all bodies together are gigabytes. */
export function* hostileRequests(): Generator<HostileRequest> {
  for (const [call, body] of largestBodies())
    yield requestTo(call, body, call === metrics ? "json" : "binary");
  for (const body of pushBodies()) yield requestTo(push, body, "binary");
  for (const [body, content] of uploadBodies()) {
    for (const call of content === "form" ? [endpointOf(ingestPyroscope)] : uploads)
      yield requestTo(call, body, content);
  }
  const small = hostileJson(limits.json - 64, new Date());
  const tooLarge = { name: "more than the limit", bytes: Buffer.alloc(limits.upload, "[") };
  for (const call of calls.filter(({ upload }) => upload === undefined)) {
    for (const body of [...small, tooLarge]) yield requestTo(call, body, "json");
  }
}

function* uploadBodies(): Generator<[HostileBody, Content]> {
  const at = new Date();
  for (const body of sentAs(hostileJson(limits.metrics - 64, at), limits.upload)) yield [body, "json"];
  for (const body of sentAs(hostileJson(limits.metrics + MiB, at).slice(0, 2), 0)) yield [body, "json"];
  for (const { name, bytes } of hostileJson(limits.upload - MiB, at)) {
    yield [{ name: `form with ${name}`, bytes: hostileForm(bytes) }, "form"];
  }
  for (const profile of hostileProfiles(limits.upload - 64)) yield [profile, "binary"];
  for (const profile of hostileProfiles(limits.profile - MiB)) {
    for (const body of sentAs([withNoise(profile)], 0)) yield [body, "binary"];
  }
  for (const body of hostileContainers(512 * MiB)) yield [body, "binary"];
}

/** Valid and as large as is taken, in each respect that has a limit. */
function* largestBodies(): Generator<[Endpoint, HostileBody]> {
  const shapes = [
    [limits.samples, 8],
    [limits.samples, 2],
    [limits.samples, 20],
    [limits.samples, limits.framesPerSample],
  ] as const;
  for (const [samples, depth] of shapes) {
    const raw = largeProfile(samples, depth);
    const name = `valid profile of ${samples} samples with ${depth} frames each`;
    for (const body of sentAs([{ name, bytes: raw }], limits.upload)) {
      for (const call of uploads.filter((each) => each !== metrics)) {
        const isPush = call === push;
        yield [call, isPush ? { name: body.name, bytes: pushOf(body.bytes) } : body];
      }
    }
  }
  const batch = { name: "valid metrics", bytes: largeMetrics(limits.metricsCount, new Date()) };
  for (const body of sentAs([batch], limits.upload)) yield [metrics, body];
}

function* pushBodies(): Generator<HostileBody> {
  for (const body of hostilePushes(noiseFrom - MiB, 5)) yield* sentAs([body], limits.upload);
  for (const profile of hostileProfiles(limits.profile - MiB)) {
    const [compressed] = sentAs([withNoise(profile)], 0);
    yield { name: `push of ${compressed!.name}`, bytes: pushOf(compressed!.bytes) };
  }
}

const contentTypes: Readonly<Record<Content, string>> = {
  json: "application/json",
  binary: "application/octet-stream",
  form: formType,
};

/** Each request has its own service, so that none is a duplicate of another. */
let sent = 0;

function requestTo(call: Endpoint, { name, bytes }: HostileBody, content: Content): HostileRequest {
  const service = `hostile-${sent++}`;
  const format: Record<string, string> = content === "form" ? {} : { format: "pprof" };
  const isMessage = call === push && content === "binary";
  return {
    what: `${call.method} ${call.path}: ${name}`,
    method: call.method,
    path: toPath(
      call,
      { id: "nothing", service: "hostile", kind: "profile", recommendation: "r1", comment: "nothing" },
      call.upload === undefined ? {} : { service, name: service, ...format },
    ),
    auth: call.auth,
    contentType: isMessage ? "application/proto" : contentTypes[content],
    body: bytes,
  };
}
