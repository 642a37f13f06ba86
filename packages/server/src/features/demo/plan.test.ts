import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { beforeAll, describe, expect, it } from "vitest";
import { type Manifest, readManifest } from "./manifest.ts";
import {
  metricsCadence,
  type Planned,
  planUploads,
  profileCadence,
  releases,
  slotsOf,
  toLanes,
} from "./plan.ts";

const anchorMs = Date.UTC(2026, 10, 20, 10, 7, 30);
const keyOf = ({ service, file, startedAtMs }: Planned) => `${service} ${file.path} ${startedAtMs}`;

let manifest: Manifest;
let planned: Planned[];
beforeAll(async () => {
  manifest = await readManifest();
  planned = planUploads(manifest, { nowMs: anchorMs, fromMs: 0, anchorMs });
});

describe("the plan of the demo", () => {
  it("covers a week of every service and type up to now, never beyond", () => {
    for (const [series, uploads] of Map.groupBy(planned, ({ service, file }) => `${service} ${file.type}`)) {
      const times = uploads.map(({ startedAtMs }) => startedAtMs);
      expect(times.at(-1), series).toBeGreaterThan(anchorMs - 16 * 60_000);
      expect(times.at(-1)! + uploads.at(-1)!.file.duration_seconds * 1000, series).toBeLessThanOrEqual(
        anchorMs,
      );
      expect(times[0], series).toBeLessThan(anchorMs - 6.9 * dayMs);
      expect(times.filter((time) => time > anchorMs - dayMs).length, series).toBeGreaterThanOrEqual(95);
      expect(new Set(times).size, series).toBe(times.length);
    }
  });

  it("changes to the release at its hour and stays there", () => {
    expect(releases).toHaveLength(3);
    for (const { service, hoursBefore } of releases) {
      const releasedMs = anchorMs - hoursBefore * hourMs;
      const ofService = planned.filter((upload) => upload.service === service);
      const isAfter = (upload: Planned) => upload.file.path.startsWith(`${service}/after/`);
      const wrong = ofService.filter((upload) => {
        const sinceMs = upload.startedAtMs - releasedMs;
        return Math.abs(sinceMs) > 60 * 60_000 && isAfter(upload) !== sinceMs > 0;
      });
      expect(wrong).toEqual([]);
      expect(ofService.filter(isAfter).length).toBeGreaterThan(hoursBefore * 4 * 5);
    }
    expect(
      planned.filter(
        ({ service, file }) => service === "gateway" && !file.path.startsWith("gateway/before/"),
      ),
    ).toEqual([]);
  });

  it("releases with a profile, so that requests do not change before it", () => {
    for (const { service } of releases) {
      const firstOf = (type: string) =>
        planned.find(({ file }) => file.path.startsWith(`${service}/after/`) && file.type === type)!;
      const [requests, profile] = [firstOf("metrics"), firstOf("cpu")];
      expect(Math.abs(requests.startedAtMs - profile.startedAtMs)).toBeLessThan(minuteMs);
    }
  });

  it("lets the leak climb from the first window to the last and stay there", () => {
    const windows = planned
      .filter(({ file }) => file.path.startsWith("search/after/goroutine"))
      .map(({ file }) => file.window);
    expect(windows).toEqual(windows.toSorted((a, b) => a - b));
    const later = planUploads(manifest, { nowMs: anchorMs + hourMs, fromMs: anchorMs, anchorMs });
    const last = Math.max(...windows);
    const leaks = later.filter(({ file }) => file.path.startsWith("search/after/goroutine"));
    expect(new Set(leaks.map(({ file }) => file.window))).toEqual(new Set([last]));
  });

  it("gives the same upload for the same slot whenever it is asked", () => {
    const known = new Set(planned.map(keyOf));
    const recent = { nowMs: anchorMs + 2 * hourMs, fromMs: anchorMs - 3 * hourMs, anchorMs };
    const again = planUploads(manifest, recent).filter(({ startedAtMs }) => startedAtMs < anchorMs - 60_000);
    expect(again.length).toBeGreaterThan(100);
    expect(again.filter((upload) => !known.has(keyOf(upload)))).toEqual([]);
  });

  it("uses every recorded file", () => {
    const later = planUploads(manifest, { nowMs: anchorMs + 6 * dayMs, fromMs: 0, anchorMs });
    const used = new Set([...planned, ...later].map(({ file }) => file.path));
    const recorded = manifest.recordings.flatMap(({ files }) => files.map(({ path }) => path));
    expect(recorded.filter((path) => !used.has(path))).toEqual([]);
  });
});

describe("the lanes of a replay", () => {
  it("hold every upload once", () => {
    const lanes = toLanes(planned, 8);
    expect(lanes.flat().map(keyOf).toSorted()).toEqual(planned.map(keyOf).toSorted());
  });

  it("send the newest first, but snapshots of memory in the order of time", () => {
    const lanes = toLanes(planned, 8);
    expect(lanes).toHaveLength(8 + new Set(manifest.recordings.map(({ service }) => service)).size);
    for (const lane of lanes) {
      const times = lane.map(({ startedAtMs }) => startedAtMs);
      const isMemory = lane[0]!.file.type === "memory";
      expect(new Set(lane.map(({ file }) => file.type === "memory"))).toEqual(new Set([isMemory]));
      expect(times).toEqual(times.toSorted((a, b) => (isMemory ? a - b : b - a)));
    }
  });
});

const now = Date.UTC(2026, 10, 20, 10, 7, 30);

describe.each([
  ["profiles", profileCadence, 4],
  ["HTTP metrics", metricsCadence, 12],
])("slots of %s", (_, cadence, anHour) => {
  const slots = slotsOf(cadence, 0, now);

  it("are dense for a day and hourly for the rest of a week", () => {
    expect(slots.filter((slot) => slot > now - dayMs)).toHaveLength(24 * anHour);
    expect(slots.filter((slot) => slot <= now - dayMs)).toHaveLength(6 * 24);
    expect(slots.at(0)).toBeGreaterThanOrEqual(now - 7 * dayMs);
    expect(slots.at(-1)).toBeLessThanOrEqual(now);
  });

  it("ascend and stay the same a little later", () => {
    expect(slots).toEqual(slots.toSorted((a, b) => a - b));
    const later = new Set(slotsOf(cadence, 0, now + hourMs));
    const stillDense = slots.filter((slot) => slot > now + hourMs - dayMs);
    expect(stillDense.length).toBeGreaterThan(0);
    expect(stillDense.filter((slot) => !later.has(slot))).toEqual([]);
  });

  it("begin no earlier than asked", () => {
    expect(slotsOf(cadence, now - hourMs, now)).toHaveLength(anHour);
  });
});
