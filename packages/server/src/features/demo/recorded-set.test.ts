import { readdir, readFile, stat } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { demoRequests } from "@flamekeep/contract";
import { defaultLimits, readProfile, type StackTable, sumStacks } from "@flamekeep/profile";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type Manifest, readManifest, recordedFolder } from "./manifest.ts";
import { releases } from "./plan.ts";
import { filesOf, inflated } from "./testing/recorded.ts";

const bytesMax = 6_000_000;
const Line = z.object({ name: z.string(), flat: z.int(), cum: z.int() });
const Truth = z.object({
  totals: z.record(z.string(), z.int()),
  by_cum: z.array(Line),
  by_flat: z.array(Line),
});

let manifest: Manifest;
beforeAll(async () => {
  manifest = await readManifest();
});

describe("the recorded set", () => {
  it("is what the manifest says, file by file, and small", async () => {
    const listed = filesOf(manifest);
    const found = await readdir(recordedFolder, { recursive: true, withFileTypes: true });
    const paths = found.filter((entry) => entry.isFile()).map((entry) => `${entry.parentPath}/${entry.name}`);
    const sizes = new Map<string, number>();
    for (const path of paths) {
      sizes.set(path.slice(recordedFolder.pathname.length), (await stat(path)).size);
    }
    const profiles = [...sizes].filter(([path]) => path.endsWith(".gz") && !path.startsWith("truth/"));
    expect(new Map(profiles)).toEqual(new Map(listed.map(({ path, bytes }) => [path, bytes])));
    expect([...sizes.values()].reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(bytesMax);
  });

  it("has requests for as long as the pages of the demo say", () => {
    const metrics = filesOf(manifest).filter(({ type }) => type === "metrics");
    expect(manifest.window_seconds).toBe(demoRequests.recordedSeconds);
    expect(metrics.length).toBeGreaterThan(0);
    for (const file of metrics) expect(Math.floor(file.duration_seconds)).toBe(demoRequests.recordedSeconds);
  });

  it("has every window of every type, before and after where there was a release", () => {
    const services = new Set(manifest.recordings.map(({ service }) => service));
    expect(services).toEqual(new Set(["checkout", "catalog", "search", "gateway"]));
    for (const { service, variant, files } of manifest.recordings) {
      const types = Map.groupBy(files, ({ type }) => type);
      const wanted = ["cpu", "memory", "goroutine", "mutex", "block", "metrics"];
      if (service === "checkout") wanted.push("custom");
      expect(new Set(types.keys()), `${service} ${variant}`).toEqual(new Set(wanted));
      const windows = types.get("cpu")!.map(({ window }) => window);
      expect(windows.length).toBeGreaterThanOrEqual(5);
      for (const [type, ofType] of types) {
        expect(
          ofType.map(({ window }) => window),
          `${service} ${variant} ${type}`,
        ).toEqual(windows);
      }
    }
    const released = manifest.recordings.filter(({ variant }) => variant === "after");
    expect(released.map(({ service }) => service)).toEqual(releases.map(({ service }) => service));
  });

  it("names no place on the machine it was made on", async () => {
    const files = filesOf(manifest);
    expect(files.length).toBeGreaterThan(100);
    for (const { path } of files) {
      const text = Buffer.from(await inflated(path)).toString("latin1");
      expect(text.match(/\/(?:tmp|home|root|work|opt|var|private|Users)\//g), path).toBeNull();
    }
  });

  it("agrees with go tool pprof in every total and in the functions at the top", async () => {
    let checked = 0;
    for (const { service, variant, files } of manifest.recordings) {
      const packed = await readFile(new URL(`truth/${service}-${variant}.json.gz`, recordedFolder));
      const truths = z.record(z.string(), Truth).parse(JSON.parse(gunzipSync(packed).toString()));
      for (const { path } of files.filter(({ type }) => type !== "metrics")) {
        const truth = truths[path];
        if (truth === undefined) throw new Error(`no truth for ${path}`);
        const stacks = await stacksOf(path);
        expect(totalsOf(stacks), path).toEqual(truth.totals);
        const functions = functionsOf(stacks);
        for (const { name, flat, cum } of [...truth.by_cum, ...truth.by_flat]) {
          expect(functions.get(name), `${path} ${name}`).toEqual({ flat, cum });
          checked++;
        }
      }
    }
    expect(checked).toBeGreaterThan(1000);
  });

  it("got worse in three places and nowhere else", async () => {
    const worse = new Map<string, number>();
    for (const [place, { before, after }] of await meansByPlace()) {
      if (after === undefined) continue;
      const increase = (after - before!) / before!;
      if (increase > 0.15) worse.set(place, increase);
    }
    expect([...worse.keys()].toSorted()).toEqual(["catalog memory", "checkout cpu", "search goroutine"]);
    expect(worse.get("checkout cpu")).toBeGreaterThan(0.5);
    expect(worse.get("catalog memory")).toBeGreaterThan(0.3);
    expect(worse.get("catalog memory")).toBeLessThan(0.5);
    expect(worse.get("search goroutine")).toBeGreaterThan(0.5);
  });

  it("holds HTTP metrics with successes, mistakes of callers and failures", async () => {
    const metrics = filesOf(manifest).filter(({ type }) => type === "metrics");
    expect(metrics.length).toBeGreaterThan(0);
    const classes = new Set<string>();
    for (const { path, recording } of metrics) {
      const lines = Buffer.from(await inflated(path))
        .toString()
        .trimEnd()
        .split("\n");
      const expected = recording.requests_per_second * manifest.window_seconds;
      expect(lines.length, path).toBeGreaterThan(expected / 2);
      for (const line of lines) classes.add(`${JSON.parse(line).status_code}`.charAt(0));
    }
    expect(classes).toEqual(new Set(["2", "4", "5"]));
  });
});

/** Mean total of the last sample type over the windows, by service and type. */
async function meansByPlace(): Promise<Map<string, { before?: number; after?: number }>> {
  const places = new Map<string, { before?: number; after?: number }>();
  for (const { service, variant, files } of manifest.recordings) {
    for (const [type, ofType] of Map.groupBy(files, (file) => file.type)) {
      if (type === "metrics") continue;
      const totals = await Promise.all(
        ofType.map(async ({ path }) => sum((await stacksOf(path)).values.at(-1)!)),
      );
      const mean = totals.reduce((all, one) => all + one, 0) / totals.length;
      const place = `${service} ${type}`;
      places.set(place, { ...places.get(place), [variant]: mean });
    }
  }
  return places;
}

async function stacksOf(path: string): Promise<StackTable> {
  const read = readProfile(await inflated(path), defaultLimits);
  if (!read.ok) throw new Error(`${path}: ${read.error.message}`);
  return sumStacks(read.profile);
}

function totalsOf({ sampleTypes, values }: StackTable): Record<string, number> {
  return Object.fromEntries(sampleTypes.map(({ type, unit }, i) => [`${type}/${unit}`, sum(values[i]!)]));
}

function sum(column: Float64Array | BigInt64Array): number {
  let total = 0;
  for (const value of column) total += Number(value);
  return total;
}

/** Flat and cumulative values of the last sample type, by function. */
function functionsOf({ frames, length, start, frame, values }: StackTable) {
  const functions = new Map<string, { flat: number; cum: number }>();
  const column = values.at(-1)!;
  for (let stack = 0; stack < length; stack++) {
    const value = Number(column[stack]);
    const names = [...frame.subarray(start[stack], start[stack + 1])].map((f) => frames.functionName[f]!);
    for (const name of new Set(names)) {
      const known = functions.get(name) ?? { flat: 0, cum: 0 };
      functions.set(name, {
        flat: known.flat + (names[0] === name ? value : 0),
        cum: known.cum + value,
      });
    }
  }
  return functions;
}
