import { demoRequests } from "@flamekeep/contract";
import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import type { Manifest, RecordedFile, Recording } from "./manifest.ts";

/** A release that made a service worse. */
interface Release {
  readonly service: string;
  /** Hours before the demo's beginning. */
  readonly hoursBefore: number;
  /** The fault grows from window to window, so the windows are used in order and the last one repeats. */
  readonly isClimbing: boolean;
}

/**
 * One regression of CPU time, one of memory, one leak of goroutines: three alerts, and two about the
 * routes that the regression of CPU time makes slower. */
export const releases: readonly Release[] = [
  { service: "checkout", hoursBefore: 3, isClimbing: false },
  { service: "catalog", hoursBefore: 5, isClimbing: false },
  { service: "search", hoursBefore: 4, isClimbing: true },
];

/** One upload: a recorded file and the time at which it is to start. */
export interface Planned {
  readonly service: string;
  readonly file: RecordedFile;
  readonly tags: Readonly<Record<string, string>>;
  readonly startedAtMs: number;
}

interface PlanScope {
  readonly nowMs: number;
  /** No uploads before. */
  readonly fromMs: number;
  /** When the demo began: its releases happened some hours earlier. */
  readonly anchorMs: number;
}

/** Delay between services, so that they do not send in the same second. */
const staggerMs = 20_000;

/**
 * All uploads of the demo, ascending by time. A pure function of slot and anchor: the same slot always gives the same
 * upload, and so the same profile id.
 */
export function planUploads(manifest: Manifest, scope: PlanScope): Planned[] {
  const services = [...new Set(manifest.recordings.map((recording) => recording.service))];
  const planned = services.flatMap((service, index) => {
    const recordings = manifest.recordings.filter((recording) => recording.service === service);
    const types = new Set(recordings.flatMap(({ files }) => files.map((file) => file.type)));
    return [...types].flatMap((type) => {
      const cadence = type === "metrics" ? metricsCadence : profileCadence;
      const offsetMs = index * staggerMs;
      return slotsOf(cadence, scope.fromMs - offsetMs, scope.nowMs - offsetMs).flatMap((slot) =>
        uploadAt({ recordings, type, cadence, slot, offsetMs }, scope),
      );
    });
  });
  return planned.sort((a, b) => a.startedAtMs - b.startedAtMs);
}

interface Place {
  readonly recordings: readonly Recording[];
  readonly type: RecordedFile["type"];
  readonly cadence: Cadence;
  readonly slot: number;
  readonly offsetMs: number;
}

function uploadAt(place: Place, scope: PlanScope): Planned[] {
  const { recordings, type, slot } = place;
  const service = recordings[0]!.service;
  const release = releases.find((candidate) => candidate.service === service);
  const releasedMs = release === undefined ? Infinity : releaseSlot(release, scope);
  const variant = slot >= releasedMs ? "after" : "before";
  const recording = recordings.find((candidate) => candidate.variant === variant);
  if (recording === undefined) throw new Error(`The recorded set has no ${variant} of ${service}`);
  const files = recording.files.filter((file) => file.type === type).sort((a, b) => a.window - b.window);
  const file = files[indexOf(place, files.length, variant === "after" ? release : undefined, releasedMs)];
  if (file === undefined) return [];
  const startedAtMs = slot + place.offsetMs + sinceWindowMs(file, recording);
  const endedAtMs = startedAtMs + file.duration_seconds * 1000;
  return endedAtMs > scope.nowMs ? [] : [{ service, file, tags: recording.tags, startedAtMs }];
}

/** With a profile: requests, which are sent more often, would become slower before the first profile of the release. */
function releaseSlot({ hoursBefore }: Release, { anchorMs }: PlanScope): number {
  const { everyMs } = profileCadence;
  return Math.ceil((anchorMs - hoursBefore * hourMs) / everyMs) * everyMs;
}

function indexOf(
  { type, cadence, slot }: Place,
  count: number,
  release: Release | undefined,
  releasedMs: number,
): number {
  if (release?.isClimbing) {
    const hours = (slot - releasedMs) / hourMs;
    return Math.min(count - 1, Math.floor((hours / release.hoursBefore) * count));
  }
  const number = slot / cadence.everyMs;
  // Allocations are counted since the process started: in recorded order each snapshot adds to the one before.
  return type === "memory" ? number % count : scattered(number) % count;
}

/** A fixed mixing of bits (the finalizer of MurmurHash3), so that windows do not repeat in a visible rhythm. */
function scattered(number: number): number {
  let bits = number | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** Offset from the start of the window, as recorded: snapshots are taken at its end. */
function sinceWindowMs(file: RecordedFile, recording: Recording): number {
  const opened = recording.files
    .filter((other) => other.window === file.window)
    .map((other) => other.started_seconds);
  return Math.round((file.started_seconds - Math.min(...opened)) * 1000);
}

/**
 * Divides uploads into lanes, which are sent at the same time: the newest first, so that the first visitor sees today.
 * Memory snapshots of a service are one lane in the order of time, because each is compared with the one before.
 */
export function toLanes(planned: readonly Planned[], width: number): Planned[][] {
  const ascending = planned.toSorted((a, b) => a.startedAtMs - b.startedAtMs);
  const series = Map.groupBy(ascending.filter(isMemory), ({ service }) => service);
  const newestFirst = ascending.filter((upload) => !isMemory(upload)).toReversed();
  const others = Map.groupBy(newestFirst, (_, index) => index % width);
  return [...others.values(), ...series.values()];
}

function isMemory(upload: Planned): boolean {
  return upload.file.type === "memory";
}

/** How often one kind of upload happens, for how long at this rate, and for how long at a lower one. */
interface Cadence {
  readonly everyMs: number;
  readonly denseMs: number;
  readonly sparseEveryMs: number;
  readonly sparseMs: number;
}

export const profileCadence: Cadence = {
  everyMs: 15 * minuteMs,
  denseMs: dayMs,
  sparseEveryMs: hourMs,
  sparseMs: 7 * dayMs,
};

export const metricsCadence: Cadence = { ...profileCadence, everyMs: demoRequests.everyMs };

/**
 * The Unix milliseconds at which uploads of this cadence begin, ascending, within [fromMs, nowMs]: multiples of its
 * period, so that they do not depend on the time of the call.
 */
export function slotsOf(cadence: Cadence, fromMs: number, nowMs: number): number[] {
  const slots: number[] = [];
  const first = Math.max(fromMs, nowMs - cadence.sparseMs);
  for (
    let slot = Math.ceil(first / cadence.everyMs) * cadence.everyMs;
    slot <= nowMs;
    slot += cadence.everyMs
  ) {
    if (slot > nowMs - cadence.denseMs || slot % cadence.sparseEveryMs === 0) slots.push(slot);
  }
  return slots;
}
