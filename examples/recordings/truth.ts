// Writes `truth/`: what `go tool pprof` finds in every recorded profile, in merged, in subtracted and in compared ones, in parts of
// profiles, and around functions.
import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const folder = fileURLToPath(new URL("./", import.meta.url));

/** A function's name, self and total value. */
type FunctionTruth = readonly [name: string, self: number, total: number];

interface TypeTruth {
  readonly type: string;
  readonly unit: string;
  /** In digits: some are beyond 2^53. */
  readonly total: string;
  /** Nodes of the call tree by function name, the root not counted. */
  readonly treeNodes: number;
  readonly functions: readonly FunctionTruth[];
}

type Truth =
  | { readonly refused: string }
  | { readonly samples: number; readonly depth: number; readonly types: readonly TypeTruth[] };

function pprof(...args: string[]): { readonly text: string; readonly error: string } {
  const options = { cwd: folder, encoding: "utf8", maxBuffer: 2 ** 30 } as const;
  const { status, stdout, stderr } = spawnSync("go", ["tool", "pprof", "-symbolize=none", ...args], options);
  return { text: stdout, error: status === 0 ? "" : stderr };
}

/** `files` as `go tool pprof` takes them: several are merged, `-base=FILE` is subtracted. */
function truthOf(...files: string[]): Truth {
  const { text, error } = pprof("-raw", ...files);
  if (error !== "") return { refused: reasonOf(error) };
  const raw = parseRaw(text);
  const types = raw.types.map(({ type, unit, total }, index) => {
    const select = ["-trim=false", `-sample_index=${index}`, `-unit=${unit}`];
    const isExact = Number.isSafeInteger(Number(total));
    const functions = isExact ? functionsOf(pprof("-top", ...select, ...files).text) : [];
    const tree = pprof("-dot", "-call_tree", ...select, ...files).text;
    return { type, unit, total, treeNodes: tree.match(/^N\d+ \[label=/gm)?.length ?? 0, functions };
  });
  return { samples: raw.samples, depth: raw.depth, types };
}

/** The sentence after the file's name. */
function reasonOf(error: string): string {
  const line = error.split("\n").find((text) => text.includes(": "));
  return line?.slice(line.indexOf(": ") + 2) ?? error;
}

interface Raw {
  readonly samples: number;
  /** Frames of the deepest stack, inlined ones included. */
  readonly depth: number;
  readonly types: readonly { readonly type: string; readonly unit: string; readonly total: string }[];
}

function parseRaw(text: string): Raw {
  const lines = text.split("\n");
  const section = (from: string, to: string) => lines.slice(lines.indexOf(from) + 1, lines.lastIndexOf(to));
  const [header = "", ...samples] = section("Samples:", "Locations");
  const types = header
    .replaceAll("[dflt]", "")
    .split(" ")
    .map((name) => ({
      type: name.slice(0, name.lastIndexOf("/")),
      unit: name.slice(name.lastIndexOf("/") + 1),
    }));
  const frames = framesByLocation(section("Locations", "Mappings"));
  const totals = types.map(() => 0n);
  let count = 0;
  let depth = 0;
  for (const line of samples) {
    const match = /^\s*(-?\d+(?: +-?\d+)*): ((?:\d+ )*)$/.exec(line);
    if (match === null) continue;
    count++;
    for (const [i, value] of match[1]!.split(/ +/).entries()) totals[i]! += BigInt(value);
    const ids = match[2]!.split(" ").filter((id) => id !== "");
    depth = Math.max(
      depth,
      ids.reduce((sum, id) => sum + (frames.get(id) ?? 1), 0),
    );
  }
  return {
    samples: count,
    depth,
    types: types.map((each, i) => ({ ...each, total: String(BigInt.asIntN(64, totals[i]!)) })),
  };
}

/** How many frames each location has: the lines after its first are what was inlined into it. */
function framesByLocation(lines: readonly string[]): Map<string, number> {
  const frames = new Map<string, number>();
  let id = "";
  for (const line of lines) {
    const match = /^ *(\d+): 0x/.exec(line);
    if (match !== null) id = match[1]!;
    frames.set(id, (frames.get(id) ?? 0) + 1);
  }
  return frames;
}

const row =
  /^\s*(-?\d+(?:\.\d+)?)\S*\s+\S+%\s+\S+%\s+(-?\d+(?:\.\d+)?)\S*\s+\S+%\s+(.*?)(?: \((?:partial-)?inline\))?$/;

function functionsOf(table: string): FunctionTruth[] {
  return table.split("\n").flatMap((line) => {
    const match = row.exec(line);
    return match === null ? [] : [[match[3]!, Number(match[1]), Number(match[2])] as const];
  });
}

const merged = [
  ["go1.26/large-cpu-1.pb.gz", "go1.26/large-cpu-2.pb.gz", "go1.26/large-cpu-3.pb.gz"],
  ["go1.26/cpu.pb.gz", "go1.19/cpu.pb.gz"],
  ["go1.26/heap.pb.gz", "go1.26/allocs.pb.gz", "go1.26/large-heap.pb.gz"],
  ["go1.26/mutex.pb.gz", "go1.26/delta-mutex.pb.gz"],
  ["go1.26/goroutine.pb.gz", "go1.26/deep-goroutine.pb.gz"],
];
/** Base and profile. */
const subtracted = [
  ["go1.26/large-cpu-1.pb.gz", "go1.26/large-cpu-2.pb.gz"],
  ["go1.19/cpu.pb.gz", "go1.26/cpu.pb.gz"],
  ["go1.26/delta-heap.pb.gz", "go1.26/heap.pb.gz"],
  ["go1.26/delta-block.pb.gz", "go1.26/block.pb.gz"],
  ["go1.19/goroutine.pb.gz", "go1.19/deep-goroutine.pb.gz"],
] as const;

/** As `subtracted`, with `-diff_base`: what the comparison of two profiles shows. */
const compared = [
  ["go1.26/large-cpu-3.pb.gz", "go1.26/large-cpu-4.pb.gz"],
  ["go1.19/large-cpu-1.pb.gz", "go1.26/large-cpu-1.pb.gz"],
  ["go1.26/delta-mutex.pb.gz", "go1.26/mutex.pb.gz"],
  ["go1.26/deep-goroutine.pb.gz", "go1.26/goroutine.pb.gz"],
  ["go1.19/heap.pb.gz", "go1.19/delta-heap.pb.gz"],
  ["sdk/pyroscope-nodejs-0.6.4-cpu-01.pb.gz", "sdk/pyroscope-nodejs-0.6.4-cpu-03.pb.gz"],
  ["recipes/valid-recursion.pb.gz", "recipes/valid-repeated-stacks.pb.gz"],
] as const;

interface Part {
  /** Two are compared: base and profile. */
  readonly files: readonly string[];
  readonly sampleIndex: number;
  readonly option: "focus" | "ignore" | "hide" | "show";
  readonly pattern: string;
}

/** Patterns that match names of functions only: pprof compares them with files too. */
const parts: readonly Part[] = [
  { files: ["go1.26/large-cpu-1.pb.gz"], sampleIndex: 1 },
  { files: ["go1.26/heap.pb.gz"], sampleIndex: 3 },
  { files: ["go1.19/large-cpu-1.pb.gz", "go1.26/large-cpu-1.pb.gz"], sampleIndex: 1 },
].flatMap((profile) =>
  [
    { option: "focus", pattern: "^go/types\\." } as const,
    { option: "focus", pattern: "^runtime\\.mallocgc$" } as const,
    { option: "ignore", pattern: "^go/(types|printer)\\." } as const,
    { option: "ignore", pattern: "^runtime\\.mallocgc$" } as const,
    { option: "hide", pattern: "^runtime\\." } as const,
    { option: "hide", pattern: "^(go/types|main)\\." } as const,
    { option: "show", pattern: "^(go/types|main)\\." } as const,
  ].map((part) => ({ ...profile, ...part })),
);

const nanosecondsOrBytes = (sampleIndex: number) => (sampleIndex === 1 ? "nanoseconds" : "bytes");

function partOf({ files, sampleIndex, option, pattern }: Part) {
  const [base, file] = files.length === 2 ? [`-diff_base=${files[0]}`, files[1]!] : ["", files[0]!];
  const select = ["-trim=false", `-sample_index=${sampleIndex}`, `-unit=${nanosecondsOrBytes(sampleIndex)}`];
  const { text } = pprof("-top", `-${option}=${pattern}`, ...select, ...(base === "" ? [] : [base]), file);
  return { files, sampleIndex, option, pattern, functions: functionsOf(text) };
}

/** The callers and callees of functions, with the values of the calls. */
const peeked = [
  { file: "go1.26/cpu.pb.gz", sampleIndex: 1, pattern: "^main\\." },
  { file: "go1.26/large-cpu-1.pb.gz", sampleIndex: 1, pattern: "^(go/types|runtime\\.mallocgc)" },
  { file: "go1.26/heap.pb.gz", sampleIndex: 3, pattern: "^(main|net/http)\\." },
] as const;

type Call = readonly [name: string, value: number];

interface PeekTruth {
  readonly name: string;
  readonly total: number;
  readonly callers: readonly Call[];
  readonly callees: readonly Call[];
}

const call = /^\s+(-?\d+(?:\.\d+)?)\S*\s+\S+%\s+\|\s{3}(.*?)(?: \((?:partial-)?inline\))?$/;
const middle = /^\s*\S+\s+\S+%?\s+\S+%\s+(-?\d+(?:\.\d+)?)\S*\s+\S+%\s+\|\s(.*)$/;

/** A block for each function: its callers, the function itself, its callees. */
function peekOf({ file, sampleIndex, pattern }: (typeof peeked)[number]) {
  const unit = nanosecondsOrBytes(sampleIndex);
  const { text } = pprof(
    `-peek=${pattern}`,
    "-trim=false",
    `-sample_index=${sampleIndex}`,
    `-unit=${unit}`,
    file,
  );
  const functions = text.split(/^-+\+-+$/m).flatMap((block): PeekTruth[] => {
    const lines = block.split("\n").filter((line) => line.includes("|"));
    const at = lines.findIndex((line) => middle.test(line));
    if (at === -1) return [];
    const [, total, name] = middle.exec(lines[at]!)!;
    const calls = (from: readonly string[]) =>
      from.map((line): Call => {
        const [, value, other] = call.exec(line)!;
        return [other!, Number(value)];
      });
    return [
      {
        name: name!.trim(),
        total: Number(total),
        callers: calls(lines.slice(0, at)),
        callees: calls(lines.slice(at + 1)),
      },
    ];
  });
  return { file, sampleIndex, functions };
}

/** Profiles with labels, and one range of numbers of those that have numbers. */
const labelled = [
  { file: "go1.26/cpu.pb.gz", sampleIndex: 1, keys: ["shop", "step"] },
  { file: "go1.19/deep-cpu.pb.gz", sampleIndex: 1, keys: ["shop", "step"] },
  { file: "go1.26/heap.pb.gz", sampleIndex: 1, keys: [], bytes: ["512-1023", "4096-8191"] },
  { file: "sdk/pyroscope-go-1.4.3-05.pb.gz", sampleIndex: 1, keys: ["item"] },
  { file: "sdk/pyroscope-nodejs-0.6.4-cpu-03.pb.gz", sampleIndex: 1, keys: ["item"] },
] as const;

const tagLine = /^\s+(-?\d+)\S*\s+\(\S+%\): (.*)$/;

/** The total of each value that `-tags` prints, and the functions that `-tagfocus` leaves of it. */
function labelsOf({ file, sampleIndex, keys, ...numbers }: (typeof labelled)[number]) {
  const bytes = "bytes" in numbers ? numbers.bytes : [];
  const unit = bytes.length > 0 ? "bytes" : "nanoseconds";
  const select = ["-trim=false", `-sample_index=${sampleIndex}`, `-unit=${unit}`];
  const focus = (key: string, value: string, pattern: string) => {
    const { text } = pprof("-top", `-tagfocus=${key}=${pattern}`, ...select, file);
    const functions = functionsOf(text);
    return { key, value, total: functions.reduce((sum, [, self]) => sum + self, 0), functions };
  };
  const blocks = pprof("-tags", ...select, file).text.split(/^ (?=\S+: Total )/m);
  const values = keys.flatMap((key) =>
    (blocks.find((block) => block.startsWith(`${key}: `)) ?? "").split("\n").flatMap((line) => {
      const match = tagLine.exec(line);
      if (match === null) return [];
      const found = focus(key, match[2]!, `^${match[2]!}$`);
      if (found.total !== Number(match[1])) throw new Error(`${file}: -tags and -tagfocus differ in ${line}`);
      return [found];
    }),
  );
  const ranges = bytes.map((range) => focus("bytes", range, `${range.replace("-", "b:")}b`));
  return { file, sampleIndex, values: [...values, ...ranges] };
}

/** Profiles whose functions are told apart by their files, too. */
const byFile = [
  { file: "go1.26/large-cpu-1.pb.gz", sampleIndex: 1, unit: "nanoseconds" },
  { file: "go1.26/heap.pb.gz", sampleIndex: 3, unit: "bytes" },
  { file: "sdk/pyroscope-nodejs-0.6.4-cpu-03.pb.gz", sampleIndex: 1, unit: "nanoseconds" },
  { file: "sdk/pyroscope-io-1.4.0-01.pb.gz", sampleIndex: 1, unit: "bytes" },
] as const;

/** Functions are named `NAME FILE`. */
function byFileOf({ file, sampleIndex, unit }: (typeof byFile)[number]) {
  const select = ["-trim=false", `-sample_index=${sampleIndex}`, `-unit=${unit}`];
  return { file, sampleIndex, functions: functionsOf(pprof("-top", "-filefunctions", ...select, file).text) };
}

function write(name: string, truths: unknown): void {
  mkdirSync(`${folder}truth`, { recursive: true });
  writeFileSync(`${folder}truth/${name}.json.gz`, gzipSync(JSON.stringify(truths), { level: 9 }));
  console.info(`truth/${name}.json.gz`);
}

const wanted = process.argv.slice(2);
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);
const files = globSync("*/*.pb.gz", { cwd: folder, exclude: ["recipes/limits-*"] }).sort();
for (const [name, names] of Map.groupBy(files, (file) => file.split("/")[0]!))
  if (isWanted(name)) write(name, Object.fromEntries(names.map((file) => [file, truthOf(file)])));
if (isWanted("merged"))
  write(
    "merged",
    merged.map((each) => ({ files: each, ...truthOf(...each) })),
  );
const differences = { subtracted: ["-base", subtracted], compared: ["-diff_base", compared] } as const;
for (const [name, [option, pairs]] of Object.entries(differences))
  if (isWanted(name))
    write(
      name,
      pairs.map(([base, file]) => ({ files: [base, file], ...truthOf(`${option}=${base}`, file) })),
    );
if (isWanted("parts")) write("parts", parts.map(partOf));
if (isWanted("peeked")) write("peeked", peeked.map(peekOf));
if (isWanted("labels")) write("labels", labelled.map(labelsOf));
if (isWanted("filefunctions")) write("filefunctions", byFile.map(byFileOf));
