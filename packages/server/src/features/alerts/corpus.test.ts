import { existsSync, readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { defaultLimits, readProfile, type StackTable, sumStacks } from "@flamekeep/profile";
import { corpus } from "@flamekeep/profile/testing/corpus";
import { describe, expect, it } from "vitest";
import { compare } from "./detect/opening/first-days.ts";
import { measureOf } from "./detect/watched/measure.ts";
import { isParked } from "./evaluate/parked-functions.ts";
import { severityOf } from "./store/present.ts";

const recorded = new URL("made/go1.19/", corpus);

interface Read {
  readonly stacks: StackTable;
  readonly seconds: number;
}

let filesRead = 0;

function read(path: string): Read {
  filesRead++;
  const result = readProfile(gunzipSync(readFileSync(new URL(path, recorded))), defaultLimits);
  if (!result.ok) throw new Error(`${path}: ${result.error.message}`);
  return { stacks: sumStacks(result.profile), seconds: Number(result.profile.durationNs) / 1e9 };
}

function total({ stacks }: Read, sampleType: string, keep: (leaf: string) => boolean = () => true): number {
  const column = stacks.values[stacks.sampleTypes.findIndex(({ type }) => type === sampleType)];
  if (column === undefined) throw new Error(`no ${sampleType}`);
  let sum = 0;
  for (let stack = 0; stack < stacks.length; stack++) {
    const leaf = stacks.frames.functionName[stacks.frame[stacks.start[stack]!]!]!;
    if (keep(leaf)) sum += Number(column[stack]);
  }
  return sum;
}

/** Every profile of the kind in a folder: the series and the single ones. */
function values(
  folder: string,
  kind: string,
  others: readonly string[],
  value: (one: Read) => number,
): number[] {
  const series = readdirSync(new URL(`${folder}/`, recorded)).filter((name) =>
    name.startsWith(`series-${kind}-`),
  );
  return [...series.sort(), ...others].map((name) => value(read(`${folder}/${name}`)));
}

describe.skipIf(!existsSync(recorded))(
  "profiles outside the repository, recorded before and after a release",
  () => {
    const cpu = (folder: string) =>
      values(folder, "cpu", ["cpu-30s.pb.gz", "cpu-short.pb.gz"], (one) => total(one, "cpu") / one.seconds);
    const heap = (folder: string) =>
      values(folder, "heap", ["heap.pb.gz", "allocs.pb.gz"], (one) => total(one, "inuse_space"));
    const goroutines = (folder: string) =>
      values(folder, "goroutine", ["goroutine.pb.gz"], (one) => total(one, "goroutine"));

    it("alerts about CPU and memory as errors", () => {
      const ofCpu = compare(cpu("after"), cpu("before"), {
        riseMin: measureOf("cpu", "cpu/nanoseconds").riseMin,
      });
      expect(ofCpu.isSupported).toBe(true);
      expect(severityOf(ofCpu.increase)).toBe("critical");
      const ofHeap = compare(heap("after"), heap("before"), {
        riseMin: measureOf("memory", "inuse_space/bytes").riseMin,
      });
      expect(ofHeap.isSupported).toBe(true);
      expect(severityOf(ofHeap.increase)).toBe("critical");
    });

    it("stays silent about goroutines that hardly changed, and not about a leak", () => {
      const { riseMin } = measureOf("goroutine", "goroutine/count");
      const before = goroutines("before");
      expect(before).toHaveLength(6);
      expect(compare(goroutines("after"), before, { riseMin }).isSupported).toBe(false);
      // One snapshot was recorded of the leak, which stayed as it was: six of it are a window of ninety seconds.
      const leak = total(read("goroutine-leak/goroutine.pb.gz"), "goroutine");
      const leaked = compare([leak, leak, leak, leak, leak, leak], before, { riseMin });
      expect([leaked.isSupported, severityOf(leaked.increase)]).toEqual([true, "critical"]);
      expect(compare([leak], before, { riseMin }).isSupported).toBe(false);
    });

    it("finds parked goroutines to be nearly all of what a block profile counts", () => {
      for (const folder of ["before", "after"]) {
        const block = read(`${folder}/block.pb.gz`);
        const all = total(block, "delay");
        const contended = total(block, "delay", (leaf) => !isParked(leaf));
        console.info(
          `${folder}: ${(contended / 1e9).toFixed(1)} of ${(all / 1e9).toFixed(1)} s are contention`,
        );
        expect(contended).toBeLessThan(all / 10);
      }
    });

    it("checks every file of the corpus", () => {
      console.info(`alerts: ${filesRead} recorded profiles read`);
      expect(filesRead).toBeGreaterThanOrEqual(40);
    });
  },
);
