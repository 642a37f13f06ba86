import type { InputOf, SenderState } from "@flamekeep/contract";
import * as calls from "@flamekeep/contract";
import { limits } from "@flamekeep/contract";
import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { notFound } from "#failure";
import { type Operation, serve } from "#http/endpoint/serve.ts";
import { type Place, pageOf, searchOf } from "#http/query/page.ts";
import type { SenderService, SenderStates } from "#store/profiles/sending/sender-states.ts";
import { sumOf, toInstances, toKey, toSender } from "./present.ts";
import {
  keysById,
  namesOfProcess,
  receivedByBucket,
  rejectionsSince,
  type SeriesRow,
  seriesOfInstances,
} from "./queries.ts";

interface SendersContext extends Context {
  readonly senderStates: SenderStates;
}

export function registerSenders(app: FastifyInstance, ctx: SendersContext): void {
  serve(app, ctx, calls.listSenders, listSenders);
  serve(app, ctx, calls.listSenderInstances, listSenderInstances);
}

const bucketMs = 30 * minuteMs;
const bucketCount = 48;
/** Instances, keys and tags are read from the profiles of this time, which ends with the latest one. */
const recentMs = hourMs;
/** A service that sends more is read for a shorter time. */
const profilesReadMax = 20_000;
/** Different keys, and different lists of dropped tags, of a type of an instance. */
const textsMax = 20;
/** Types of instances. */
const seriesMax = 6 * limits.senderInstancesMax;

const listSenders: Operation<typeof calls.listSenders, SendersContext> = async (ctx, { orgId }, query) => {
  const now = ctx.now();
  const states = await ctx.senderStates.read(orgId);
  const matching = states.filter(isMatching(query));
  const { page, next } = pageOf(matching, placeOf, query);
  const services = page.map(({ service }) => service);
  const span = stripOf(now);
  const received = await readReceived(ctx, orgId, services, span);
  const [series, { since, keys, rejections }] = await Promise.all([
    readSeries(ctx, orgId, page, received, recentMs),
    readRejections(ctx, orgId, now),
  ]);
  const seriesOf = Map.groupBy(series, ({ service }) => service);
  const senders = page.map((state) =>
    toSender(state, received.get(state.service) ?? [], seriesOf.get(state.service) ?? []),
  );
  const shown = new Set([...senders.flatMap(({ key_ids }) => key_ids), ...keys]);
  const rows = await keysById(ctx.rows, orgId, [...shown]);
  return {
    from: new Date(span.firstMs).toISOString(),
    to: new Date(span.endMs).toISOString(),
    bucket_seconds: bucketMs / 1000,
    senders,
    next_cursor: next,
    total: matching.length,
    silent: states.filter(({ state }) => state === "silent").length,
    stopped_types: states.filter(({ state }) => state === "stopped_types").length,
    rejected_since: since,
    keys: rows.map((key) => toKey(key, rejections, now)),
  };
};

const listSenderInstances: Operation<typeof calls.listSenderInstances, SendersContext> = async (
  ctx,
  { orgId },
  { service },
) => {
  const now = ctx.now();
  const [state] = await ctx.senderStates.read(orgId, { services: [service] });
  if (state === undefined) throw notFound("Sender", service);
  const latestMs = latestOf(state);
  const received = await readReceived(ctx, orgId, [service], stripOf(new Date(latestMs)));
  const series = await readSeries(ctx, orgId, [state], received, dayMs);
  return {
    from: new Date(latestMs - windowMs(received.get(service) ?? [], dayMs)).toISOString(),
    to: now.toISOString(),
    instances: toInstances(series).slice(0, limits.senderInstancesMax),
  };
};

type Query = InputOf<typeof calls.listSenders>;

function isMatching({ q = "", service, problems }: Query): (sender: SenderService) => boolean {
  const search = searchOf(q);
  return (sender) =>
    (service === undefined || sender.service === service) &&
    search.isIn(sender.service) &&
    (!problems || sender.state === "silent" || sender.state === "stopped_types");
}

const order: readonly SenderState[] = ["silent", "stopped_types", "sending", "irregular"];

/** Larger than any time. */
const rankSize = 1e15;

/** Silent services first, the latest silence first; services that send and those that never sent regularly by name. */
function placeOf({ state, sinceMs, service }: SenderService): Place {
  const rank = Math.min(2, order.indexOf(state));
  return { size: (sinceMs ?? 0) - rank * rankSize, name: service };
}

interface Strip {
  readonly firstMs: number;
  readonly endMs: number;
}

/** The last day in whole buckets, the present one included. */
function stripOf(now: Date): Strip {
  const endMs = (Math.floor(now.getTime() / bucketMs) + 1) * bucketMs;
  return { firstMs: endMs - bucketCount * bucketMs, endMs };
}

/** The counts of each bucket, by service. */
async function readReceived(
  { columns }: Context,
  orgId: string,
  services: readonly string[],
  { firstMs, endMs }: Strip,
): Promise<Map<string, number[]>> {
  if (services.length === 0) return new Map();
  const rows = await columns.query(receivedByBucket, {
    orgId,
    services: [...services],
    firstSeconds: firstMs / 1000,
    endSeconds: endMs / 1000,
    bucketSeconds: bucketMs / 1000,
  });
  return new Map(
    rows.map(({ service, buckets, counts }) => {
      const received = new Array<number>(bucketCount).fill(0);
      for (const [index, bucket] of buckets.entries()) received[bucket] = counts[index]!;
      return [service, received];
    }),
  );
}

/** Reads the profiles of the services, by instance and type, in the time before their latest one. */
async function readSeries(
  { columns }: Context,
  orgId: string,
  senders: readonly SenderService[],
  received: ReadonlyMap<string, readonly number[]>,
  spanMs: number,
): Promise<SeriesRow[]> {
  if (senders.length === 0) return [];
  const sincesMs = senders.map(
    (sender) => latestOf(sender) - windowMs(received.get(sender.service) ?? [], spanMs),
  );
  return columns.query(seriesOfInstances, {
    orgId,
    services: senders.map(({ service }) => service),
    sincesMs,
    sinceMs: Math.min(...sincesMs),
    limit: seriesMax,
    keysMax: textsMax,
    namesMax: textsMax,
    instanceTags: namesOfProcess,
  });
}

function latestOf({ types }: SenderService): number {
  return Math.max(...types.map(({ latestMs }) => latestMs));
}

/** As much of a span as has at most `profilesReadMax` profiles at the busiest rate of the day. */
function windowMs(received: readonly number[], spanMs: number): number {
  const perMs = Math.max(0, ...received) / bucketMs;
  return perMs === 0 ? spanMs : Math.max(minuteMs, Math.floor(Math.min(spanMs, profilesReadMax / perMs)));
}

/** Rejected requests since the beginning of yesterday (UTC), and the keys with most of them. */
async function readRejections(ctx: Context, orgId: string, now: Date) {
  await ctx.keyUsage.flush();
  const since = new Date(now.getTime() - dayMs).toISOString().slice(0, 10);
  const rejections = await rejectionsSince(ctx.rows, orgId, since);
  const keys = [...Map.groupBy(rejections, ({ keyId }) => keyId)]
    .map(([id, own]) => ({ id, count: sumOf(own) }))
    .sort((a, b) => b.count - a.count)
    .slice(0, limits.rejectedKeysMax)
    .map(({ id }) => id);
  return { since, keys, rejections };
}
