import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { crc32, gzipSync } from "node:zlib";
import { hourMs, minuteMs } from "@flamekeep/contract/durations";
import { writeProfile } from "@flamekeep/profile";
import { profileOf } from "@flamekeep/profile/testing";

/** One request of a sender. */
export interface Upload {
  /** Path and query. */
  readonly path: string;
  readonly body: Uint8Array;
}

/** Uploads of one process or service by number, the next one when the last one was acknowledged. */
export type Series = (number: number) => Upload;

const recorded = fileURLToPath(new URL("../../examples/shop/recorded", import.meta.url));
const betweenMs = 2_000;
/**
 * Starts of profiles lie in an hour that is over, so that the roll-up by the hour has them too. Searches read the profiles of this hour
 * meanwhile; those of earlier hours are found once a job has run, which no two servers do at the same time.
 */
const hoursAgo = 1;

/** The start of what a scenario sends, and the range of its figures. */
export interface Period {
  readonly startMs: number;
  readonly endMs: number;
}

export function periodAt(nowMs: number): Period {
  const startMs = Math.floor(nowMs / hourMs - hoursAgo) * hourMs + 17 * minuteMs;
  return { startMs, endMs: Math.floor(nowMs / hourMs) * hourMs };
}

/** Uploads of several services at the same time: CPU profiles, heaps and locks of several processes, HTTP metrics. */
export function mixedSeries(period: Period): readonly Series[] {
  return [
    ...["checkout", "catalog", "search"].map((service) => cpuSeries(service, period)),
    ...["a", "b"].flatMap((instance) => [
      heapSeries("checkout", instance, period),
      lockSeries("catalog", instance, period),
    ]),
    requestSeries("checkout", period),
  ];
}

/** Whether later uploads of the series are compared with this one. */
export function hasCounters({ path }: Upload): boolean {
  return /[?&]type=(memory|mutex|block)(&|$)/.test(path);
}

/** Recorded CPU profiles, each as of another moment. */
export function cpuSeries(service: string, period: Period): Series {
  const folder = service in recordedBodies ? service : "gateway";
  return (number) => {
    const bodies = recordedBodies[folder]!;
    return profileUpload({ service, type: "cpu" }, { period, number }, bodies[number % bodies.length]!);
  };
}

const recordedBodies: Readonly<Record<string, readonly Buffer[]>> = Object.fromEntries(
  ["checkout", "catalog", "search", "gateway"].map((service) => [service, recordedFiles(service, "cpu")]),
);

/** Recorded snapshots of one process, whose counters grow. */
export function recordedSnapshots(service: string, type: "memory" | "mutex" | "block", period: Period) {
  return recordedFiles("catalog", type).map((body, number) =>
    profileUpload({ service, type, "tag.instance": "recorded" }, { period, number }, body),
  );
}

function recordedFiles(service: string, type: string): readonly Buffer[] {
  const folder = `${recorded}/${service}/before`;
  const names = readdirSync(folder).filter((name) => name.startsWith(type));
  if (names.length === 0) throw new Error(`no ${type} profiles in ${folder}`);
  return names.sort().map((name) => readFileSync(`${folder}/${name}`));
}

/** Heaps of a process: its allocations since it began, and those in use. */
function heapSeries(service: string, instance: string, period: Period): Series {
  return (number) => {
    const allocated = [1000 + number, 64_000 + 1009 * number];
    const kept = [500 + Math.floor(number / 3), 4000 + 17 * Math.floor(number / 3)];
    const values = [
      [...allocated, 10 + (number % 7), 640 + (number % 7)],
      [...kept, 3, 96],
    ];
    const profile = profileOf(`main main\nmake keep\n${values.map((row) => row.join()).join(" ")}`, {
      sampleTypes: ["alloc_objects/count", "alloc_space/bytes", "inuse_objects/count", "inuse_space/bytes"],
    });
    const query = { service, type: "memory", "tag.instance": instance };
    return profileUpload(query, { period, number }, gzipSync(writeProfile(profile)));
  };
}

/** How often and how long a process has waited for locks since it began. */
function lockSeries(service: string, instance: string, period: Period): Series {
  return (number) => {
    const often = `${1000 + number},${1_000_000 + 1009 * number}`;
    const seldom = `${500 + Math.floor(number / 3)},${10_000 + 17 * Math.floor(number / 3)}`;
    const profile = profileOf(`main main\nqueue.Put db.Query\n${often} ${seldom}`, {
      sampleTypes: ["contentions/count", "delay/nanoseconds"],
    });
    const query = { service, type: "mutex", "tag.instance": instance };
    return profileUpload(query, { period, number }, gzipSync(writeProfile(profile)));
  };
}

/** Batches of 20 requests. */
function requestSeries(service: string, period: Period): Series {
  return (number) => {
    const batch = Array.from({ length: 20 }, (_, index) => ({
      timestamp: new Date(period.startMs + number * betweenMs + 20 * index).toISOString(),
      duration: (1 + ((number + index) % 40)) / 1000,
      status_code: index % 10 === 0 ? 500 : 200,
      method: "GET",
      path: `/items/${index % 3}`,
    }));
    const path = `/api/v1/ingest/http-metrics?${new URLSearchParams({ service })}`;
    return { path, body: Buffer.from(JSON.stringify(batch)) };
  };
}

interface Place {
  readonly period: Period;
  readonly number: number;
}

/** No two uploads begin at the same time: lists would order them by their ids, which contain the organization's. */
function profileUpload(
  query: Readonly<Record<string, string>>,
  { period, number }: Place,
  body: Uint8Array,
): Upload {
  const offsetMs = crc32(JSON.stringify(query)) % betweenMs;
  const startedAt = period.startMs + number * betweenMs + offsetMs;
  const search = new URLSearchParams({ ...query, started_at: String(startedAt) });
  return { path: `/api/v1/ingest/profiles?${search}`, body };
}
