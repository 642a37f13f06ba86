import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { ingestHttpMetrics, ingestProfile } from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import { writeProfile } from "@flamekeep/profile";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { JobLog, repeat, whileListening } from "#store/job-log.ts";
import { Recorder } from "./recorder.ts";
import { RequestSample } from "./request-sample.ts";

const service = "flamekeep";
const compress = promisify(gzip);

/** The CPU is profiled for a part of this time. Each upload to an idle server starts a thread, which takes most of the CPU time of a round. */
const everyMs = 5 * minuteMs;
const windowMs = 20_000;

/** An upload as the endpoints of ingestion accept it. */
interface OwnUpload {
  readonly format: "profile" | "http_metrics";
  readonly query: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Ingests an upload of an organization like a request. */
type TakeUpload = (upload: OwnUpload & { readonly orgId: string }) => Promise<unknown>;

/**
 * Profiles this server while it listens, and sends the profiles and its HTTP requests to itself as the service `flamekeep`. Does
 * nothing, and loads no profiler, if that is off.
 */
export function registerSelfProfiling(app: FastifyInstance, ctx: Context, take: TakeUpload): void {
  if (ctx.config.selfProfiling === undefined) return;
  const { record, close } = prepareRecording(app, ctx, take);
  const jobLog = new JobLog(ctx.log, "the profiling of the server itself", { isFailureRepeated: false });
  const timing = { firstAfterMs: minuteMs - windowMs, everyMs: everyMs - windowMs };
  whileListening(app, (stopped) =>
    repeat(jobLog, timing, stopped, () => record(windowMs, stopped)).finally(close),
  );
}

/**
 * Collects the requests of an app from now on. `record` profiles the process for a time and sends what was recorded, except if
 * the signal aborts meanwhile.
 */
export function prepareRecording(app: FastifyInstance, ctx: Context, take: TakeUpload) {
  const requests = sampleRequests(app);
  const send = senderOf(app, ctx, take);
  const recorder = new Recorder();
  const record = async (ms: number, stopped: AbortSignal): Promise<void> => {
    const profiles = await recorder.record(ms, stopped);
    for (const [type, profile] of profiles) {
      // An idle server has no samples.
      if (profile.samples.length === 0 || stopped.aborted) continue;
      const query = { service, type, "tag.version": ctx.version };
      await send({ format: "profile", query, body: await compress(writeProfile(profile)) });
    }
    const metrics = stopped.aborted ? [] : requests.take();
    if (metrics.length === 0) return;
    await send({ format: "http_metrics", query: { service }, body: await compress(JSON.stringify(metrics)) });
  };
  return { record, close: () => recorder.close() };
}

/** Requests by route: paths have ids and names in them. */
function sampleRequests(app: FastifyInstance): RequestSample {
  const requests = new RequestSample();
  app.addHook("onResponse", async ({ method, routeOptions }, { elapsedTime, statusCode }) => {
    const timestamp = Date.now() - elapsedTime;
    // The router writes `:name` where the contract has `{name}`.
    const path = (routeOptions.url ?? "none").replaceAll(/:(\w+)/g, "{$1}");
    requests.add({ timestamp, duration: elapsedTime / 1000, status_code: statusCode, method, path });
  });
  return requests;
}

type Send = (upload: OwnUpload) => Promise<void>;

/** Sends with the key of the setting, else into the demo's organization. */
function senderOf(app: FastifyInstance, ctx: Context, take: TakeUpload): Send {
  const key = ctx.config.selfProfiling?.key;
  return async (upload) => {
    if (key !== undefined) await sendWithKey(app, key, upload);
    else if (ctx.demo !== null) await take({ ...upload, orgId: ctx.demo.orgId });
  };
}

async function sendWithKey(
  app: FastifyInstance,
  key: string,
  { format, query, body }: OwnUpload,
): Promise<void> {
  const { method, path } = format === "profile" ? ingestProfile : ingestHttpMetrics;
  const contentType = format === "profile" ? "application/octet-stream" : "application/json";
  const headers = { "x-api-key": key, "content-type": contentType };
  const payload = Buffer.from(body);
  const reply = await app.inject({ method, url: path, query: { ...query }, headers, payload });
  if (reply.statusCode !== 200) throw new Error(reply.json<{ error: string }>().error);
}
