import { existsSync, readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { functionTotals } from "./describe/function-totals.ts";
import { readerOf, sniff } from "./formats/sniff.ts";
import { defaultLimits, type ReadLimits } from "./model/limits.ts";
import type { StackTable } from "./model/stack-table.ts";
import { readProfile } from "./read/read-profile.ts";
import { diffStacks, foldStacks, mergeStacks } from "./stacks/combine-stacks.ts";
import { sumStacks } from "./stacks/sum-stacks.ts";
import { totalOf } from "./stacks/total-of.ts";
import { corpus } from "./testing/corpus.ts";
import { labelledSamples } from "./testing/labelled-samples.ts";
import { treeNodes } from "./testing/tree-nodes.ts";
import { writeProfile } from "./write/write-profile.ts";

const isThere = existsSync(corpus);
const filesMin = 200;
const unbounded: ReadLimits = {
  ...defaultLimits,
  depth: 1_000_000,
  nameBytes: 10_000_000,
  labelsPerSample: 1e6,
};

interface ManifestRow {
  readonly file: string;
  readonly path: URL;
  readonly format: string;
  readonly verdict: string;
}

function manifest(): ManifestRow[] {
  const [header, ...lines] = readFileSync(new URL("manifest.tsv", corpus), "utf8").trimEnd().split("\n");
  const columns = header!.split("\t");
  return lines.map((line) => {
    const cells = line.split("\t");
    const cell = (name: string) => cells[columns.indexOf(name)] ?? "";
    const file = cell("file");
    const path = new URL(`${cell("set")}/${file.split("/").map(encodeURIComponent).join("/")}`, corpus);
    return { file, path, format: cell("format"), verdict: cell("go_pprof_1.23_verdict") };
  });
}

/** As the server does: gzip by its magic, and never more than the limit. */
function inflated(path: URL): Uint8Array {
  const bytes = readFileSync(path);
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return isGzip ? gunzipSync(bytes, { maxOutputLength: defaultLimits.bytes }) : bytes;
}

function stacksIn(path: URL): StackTable {
  const result = readProfile(inflated(path), unbounded);
  if (!result.ok) throw new Error(`${path}: ${result.error.message}`);
  return sumStacks(result.profile);
}

describe.skipIf(!isThere)("profiles collected outside the repository", () => {
  it("accepts and refuses the same files as Go's parser", () => {
    const rows = manifest().filter(
      ({ format, verdict }) =>
        /^(gzip|raw) pprof$/.test(format) && !verdict.startsWith("REJECT: decompressing"),
    );
    const wrong: string[] = [];
    for (const { file, path, verdict } of rows) {
      if (file.includes("gzip-bomb")) {
        expect(() => inflated(path)).toThrow();
        continue;
      }
      const result = readProfile(inflated(path));
      if (result.ok !== (verdict === "ok")) wrong.push(`${file}: ${verdict}, but ok is ${result.ok}`);
      if (!result.ok && (result.error.field === "" || result.error.message === "")) wrong.push(file);
    }
    console.info(`verdicts: ${rows.length} files looked at`);
    expect(rows.length).toBeGreaterThan(200);
    expect(wrong).toEqual([]);
  });

  it("names other formats", () => {
    const rows = manifest().filter(
      ({ format, verdict }) => verdict.startsWith("REJECT: parsing") && !/pprof\b(?! -raw)/.test(format),
    );
    const wrong: string[] = [];
    for (const { file, path, format } of rows) {
      if (readerOf(inflated(path)) !== undefined) continue;
      const result = readProfile(inflated(path));
      if (result.ok) wrong.push(`${file} (${format}) was read`);
      else if (!["not_pprof", "empty"].includes(result.error.code)) {
        wrong.push(`${file} (${format}): ${result.error.code} ${result.error.message}`);
      }
    }
    console.info(`not pprof: ${rows.length} files looked at`);
    expect(rows.length).toBeGreaterThan(80);
    expect(wrong).toEqual([]);
  });

  it("reads collapsed stacks to the last sample", () => {
    // A line of one file has no value, so that it is refused.
    const rows = manifest().filter(
      ({ file, format }) => format === "collapsed" && !file.endsWith("simple-with-invalids.txt"),
    );
    let stacks = 0;
    const wrong: string[] = [];
    for (const { file, path } of rows) {
      const text = inflated(path);
      const lines = Buffer.from(text)
        .toString()
        .split("\n")
        .filter((line) => / \d+\s*$/.test(line));
      const sum = lines.reduce(
        (total, line) => total + Number(line.slice(line.trimEnd().lastIndexOf(" "))),
        0,
      );
      const table = stacksIn(path);
      if (Number(totalOf(table.values[0]!)) !== sum) wrong.push(file);
      stacks += table.length;
    }
    console.info(`collapsed: ${rows.length} files with ${stacks} stacks looked at`);
    expect(rows.length).toBeGreaterThan(10);
    expect(wrong).toEqual([]);
  });

  it("reads recordings of Java to the stacks and values of another reader", () => {
    const rows = manifest();
    const recordings = rows.filter(({ format }) => format === "gzip jfr");
    let compared = 0;
    const wrong: string[] = [];
    for (const { file, path } of recordings) {
      const ours = stacksIn(path);
      // One file has all labels, others one set of them each.
      const theirs = rows.find(
        (row) => row.file.startsWith(file) && /cpu_.*\.17241709254077376921\./.test(row.file),
      );
      if (theirs === undefined) continue;
      compared++;
      const cpu = ours.sampleTypes.findIndex(({ type }) => type === "cpu");
      const lines = (text: string) => text.trimEnd().split("\n").sort();
      // The other reader writes functions without a class as ".name".
      const truth = lines(foldStacks(stacksIn(theirs.path), 0).replaceAll(/(?<=^|;)\./gm, ""));
      if (lines(foldStacks(ours, cpu)).join() !== truth.join()) wrong.push(file);
    }
    console.info(`recordings: ${recordings.length} looked at, ${compared} compared`);
    expect(recordings.length).toBeGreaterThan(4);
    expect(compared).toBe(2);
    expect(wrong).toEqual([]);
  });

  it("reads or refuses each file with a sentence, by kind", () => {
    const outcomes = new Map<string, { read: number; refused: number }>();
    const wrong: string[] = [];
    for (const { file, path } of manifest()) {
      if (
        file.includes("gzip-bomb") ||
        /bad-(trunc-gzip|gzip-crc|flip|crlf|gzip-header|gzip-trailing)/.test(file)
      )
        continue;
      const bytes = inflated(path);
      const result = readProfile(bytes);
      const outcome = outcomes.get(sniff(bytes)) ?? { read: 0, refused: 0 };
      outcomes.set(sniff(bytes), outcome);
      if (result.ok) outcome.read++;
      else outcome.refused++;
      if (!result.ok && !/^\S.{10,}\.$/s.test(result.error.message))
        wrong.push(`${file}: ${result.error.message}`);
    }
    const table = [...outcomes]
      .sort()
      .map(([kind, { read, refused }]) => `${kind}: ${read} read, ${refused} refused`);
    console.info(table.join("\n"));
    expect(outcomes.size).toBeGreaterThan(15);
    expect(wrong).toEqual([]);
  });

  it("reads legacy profiles to the totals of Go's parser", () => {
    const folder = new URL("truth/google-string/", corpus);
    const names = readdirSync(folder);
    const wrong: string[] = [];
    for (const name of names) {
      const text = readFileSync(new URL(name, folder), "utf8");
      const file = new URL(`open/google+pprof+profile+testdata+${name.replace(/\.string$/, "")}`, corpus);
      const stacks = stacksIn(file);
      const sums = stacks.sampleTypes.map(() => 0n);
      const section = text.slice(text.indexOf("Samples:\n"), text.indexOf("Locations\n"));
      for (const [, values] of section.matchAll(/^ *((?:-?\d+ +)*-?\d+): /gm))
        for (const [type, value] of values!.trim().split(/ +/).entries())
          sums[type] = sums[type]! + BigInt(value);
      const ours = stacks.values.map((column) => BigInt(totalOf(column)));
      if (ours.join() !== sums.join()) wrong.push(`${name}: ${ours.join()}, Go says ${sums.join()}`);
    }
    console.info(`legacy profiles: ${names.length} looked at`);
    expect(names.length).toBe(8);
    expect(wrong).toEqual([]);
  });

  it("reads the output of perf script as FlameGraph collapses it", () => {
    const name = "brendangregg+FlameGraph+test+";
    const file = new URL(`open/${name}perf-dd-stacks-01.txt`, corpus);
    const truth = readFileSync(
      new URL(`open/${name}results+perf-dd-stacks-01-collapsed-all.txt`, corpus),
      "utf8",
    );
    // Their script leaves out the last stack if no empty line ends it.
    const last = "dd;[unknown];system_call 10101010\n";
    expect(foldStacks(stacksIn(file), 1).trim().split("\n").sort()).toEqual(
      (last + truth.replaceAll("_[k]", "")).trim().split("\n").sort(),
    );
  });

  it("reads goroutine dumps as DataDog's parser does", () => {
    const folder = new URL("truth/goroutine-golden/", corpus);
    let compared = 0;
    for (const name of readdirSync(folder)) {
      const { Goroutines: goroutines } = JSON.parse(readFileSync(new URL(name, folder), "utf8")) as {
        Goroutines: readonly Golden[];
      };
      const file = `open/DataDog+gostackparse+test-fixtures+${name.replace(".golden.json", ".txt")}`;
      const result = readProfile(inflated(new URL(file, corpus)), unbounded);
      if (!result.ok) throw new Error(`${file}: ${result.error.message}`);
      const ours = labelledSamples(result.profile);
      for (const { Stack, State, CreatedBy, FramesElided, LockedToThread } of goroutines) {
        const names = Stack.map((frame) => frame.Func).reverse();
        expect(ours).toContainEqual({
          stack: [...(FramesElided ? ["[truncated]"] : []), ...names].join(";"),
          labels: {
            state: State,
            ...(CreatedBy && { created_by: CreatedBy.Func }),
            ...(LockedToThread && { locked_to_thread: "true" }),
          },
        });
        compared++;
      }
    }
    console.info(`goroutine dumps: ${compared} goroutines compared`);
    expect(compared).toBeGreaterThan(10);
  });

  it("agrees with Go on totals, top functions, depths and trees", () => {
    const folder = new URL("truth/json/", corpus);
    const rows = new Map(manifest().map((row) => [truthName(row), row]));
    let looked = 0;
    const wrong: string[] = [];
    for (const name of readdirSync(folder)) {
      const row = rows.get(name);
      // Texts of Go lack functions of the runtime that pprof takes from the addresses.
      if (row === undefined || !/^(gzip|raw) pprof$|^legacy binary/.test(row.format)) continue;
      looked++;
      const truth = parseExact(readFileSync(new URL(encodeURIComponent(name), folder), "utf8"));
      for (const difference of differences(namedAsInGo(stacksIn(row.path)), truth))
        wrong.push(`${name}: ${difference}`);
    }
    console.info(`truth: ${looked} files looked at, ${wrong.length} differences`);
    expect(looked).toBeGreaterThan(filesMin);
    expect(wrong).toEqual([]);
  });

  it("agrees with Go on merged and subtracted profiles", () => {
    const merges = combinations("merge").map(({ name, truth, tables }) => ({
      name,
      truth,
      ours: mergeStacks(tables),
    }));
    const diffs = combinations("diff").map(({ name, truth, tables }) => ({
      name,
      truth,
      ours: diffStacks(tables[0], tables[1]),
    }));
    const wrong = [...merges, ...diffs].flatMap(({ name, truth, ours }) =>
      valueDifferences(ours, truth).map((difference) => `${name}: ${difference}`),
    );
    console.info(`merged: ${merges.length} looked at, subtracted: ${diffs.length}`);
    expect(merges.length).toBeGreaterThan(4);
    expect(diffs.length).toBeGreaterThan(10);
    expect(wrong).toEqual([]);
  });

  it("writes profiles that read the same again", () => {
    let looked = 0;
    for (const { path, format, verdict, file } of manifest()) {
      if (!/^(gzip|raw) pprof$/.test(format) || verdict !== "ok" || file.includes("bomb")) continue;
      const first = readProfile(inflated(path), unbounded);
      if (!first.ok) throw new Error(file);
      if (first.profile.samples.length > 5000) continue;
      const second = readProfile(writeProfile(first.profile), unbounded);
      expect(second, file).toEqual(first);
      looked++;
    }
    console.info(`round trip: ${looked} files looked at`);
    expect(looked).toBeGreaterThan(filesMin);
  });

  it("a profile minus itself is empty, and twice itself is twice its totals", () => {
    let looked = 0;
    for (const { path, format, verdict, file } of manifest()) {
      if (!/^(gzip|raw) pprof$/.test(format) || verdict !== "ok" || file.includes("bomb")) continue;
      const stacks = stacksIn(path);
      if (stacks.length > 5000) continue;
      expect(diffStacks(stacks, stacks).length, file).toBe(0);
      const twice = mergeStacks([stacks, stacks]);
      expect(twice.length, file).toBe(stacks.length);
      const doubled = stacks.values.map((column) => BigInt.asIntN(64, BigInt(totalOf(column)) * 2n));
      expect(
        twice.values.map((column) => BigInt(totalOf(column))),
        file,
      ).toEqual(doubled);
      looked++;
    }
    console.info(`merge and diff: ${looked} files looked at`);
    expect(looked).toBeGreaterThan(filesMin);
  });
});

interface Golden {
  readonly State: string;
  readonly LockedToThread: boolean;
  readonly FramesElided: boolean;
  readonly Stack: readonly { readonly Func: string }[];
  readonly CreatedBy: { readonly Func: string } | null;
}

interface Combination {
  readonly name: string;
  readonly truth: Json;
  readonly tables: readonly StackTable[];
}

/** Profiles that Go combined: a note names them, a JSON file next to it has the result. */
function combinations(kind: "merge" | "diff"): Combination[] {
  const folder = new URL(`truth/${kind}/`, corpus);
  const notes = readdirSync(folder).filter((name) => name.endsWith(".txt") && !name.endsWith(".top.txt"));
  return notes.flatMap((name) => {
    const json = new URL(name.replace(/txt$/, kind === "diff" ? "base.json" : "json"), folder);
    const note = readFileSync(new URL(name, folder), "utf8");
    const lines = note.matchAll(/^(?:#|base \(A\):|new +\(B\):) +((?:open|made)\/.+)$/gm);
    const paths = Array.from(
      lines,
      (line) => new URL(line[1].split("/").map(encodeURIComponent).join("/"), corpus),
    );
    const isPprof = (path: URL) => readProfile(inflated(path), unbounded).ok;
    if (!existsSync(json) || paths.length < 2 || !paths.every(isPprof)) return [];
    const truth = parseExact(readFileSync(json, "utf8"));
    return [{ name, truth, tables: paths.map((path) => withoutEmptyStacks(namedAsInGo(stacksIn(path)))) }];
  });
}

/** go tool pprof -proto, which made that truth, leaves samples without a stack out of its report. */
function withoutEmptyStacks(stacks: StackTable): StackTable {
  const values = stacks.values.map((column) => {
    const kept = column.slice();
    for (let i = 0; i < stacks.length; i++)
      if (stacks.start[i] === stacks.start[i + 1]) kept.fill(0 as never, i, i + 1);
    return kept;
  });
  return { ...stacks, values };
}

function truthName({ file, path }: ManifestRow): string {
  return path.pathname.includes("/made/") ? `made-${file.replaceAll("/", "-")}.json` : `${file}.json`;
}

type Json = { [key: string]: Json } & Iterable<Json>;

/** Integers as bigint, because some are beyond 2^53. */
function parseExact(text: string): Json {
  return JSON.parse(text, ((_: string, value: unknown, context: { source?: string }) =>
    typeof value === "number" && /^-?\d+$/.test(context.source ?? "") ? BigInt(context.source!) : value) as (
    key: string,
    value: unknown,
  ) => unknown);
}

function differences(stacks: StackTable, truth: Json): string[] {
  const names = new Set(Array.from(stacks.frame, (frame) => stacks.frames.functionName[frame]));
  let depth = 0;
  for (let i = 0; i < stacks.length; i++) depth = Math.max(depth, stacks.start[i + 1] - stacks.start[i]);
  return [
    ...unequal("functions", names.size, truth.function_names_used_in_samples),
    ...unequal("depth", depth, truth.max_depth_frames),
    ...unequal("tree nodes", treeNodes(stacks), truth.call_tree_nodes),
    ...unequal("stacks by function names", namedStacks(stacks), truth.unique_stacks),
    ...valueDifferences(stacks, truth),
  ];
}

function unequal(what: string, ours: unknown, theirs: unknown): string[] {
  return String(ours) === String(theirs) ? [] : [`${what}: ${ours}, Go says ${theirs}`];
}

function valueDifferences(stacks: StackTable, truth: Json): string[] {
  return [...truth.types].flatMap((type, t) => {
    const found = unequal("total", totalOf(stacks.values[t]), type.total);
    if (stacks.values[t] instanceof BigInt64Array) return found;
    const totals = functionTotals(stacks, Float64Array.from(stacks.values[t], Number));
    const at = Map.groupBy(totals.names.keys(), (i) => totals.names[i]!);
    for (const { name, flat, cum } of [...(type.top_flat ?? []), ...(type.top_cum ?? [])]) {
      // A difference leaves out functions that sum to nothing. Functions of one name in several files can be below each other: only
      // their self values add up.
      const all = at.get(String(name)) ?? [];
      const sum = (column: Float64Array) => all.reduce((value, i) => value + column[i]!, 0);
      found.push(...unequal(`flat ${name}`, sum(totals.self), flat));
      if (all.length < 2) found.push(...unequal(`cum ${name}`, sum(totals.cum), cum));
    }
    return found;
  });
}

function namedStacks({ frames, frame, start, length }: StackTable): number {
  const names = (i: number) =>
    Array.from(frame.subarray(start[i], start[i + 1]), (at) => frames.functionName[at]);
  return new Set(Array.from({ length }, (_, i) => JSON.stringify(names(i)))).size;
}

/** Go's truth names unsymbolised frames by their address alone. */
function namedAsInGo(stacks: StackTable): StackTable {
  const functionName = stacks.frames.functionName.map((name) => name.replace(/^.*!(?=0x)/, ""));
  return { ...stacks, frames: { ...stacks.frames, functionName } };
}
