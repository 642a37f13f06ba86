import type { ProfileType } from "@flamekeep/contract/profile-types";
import type { StackTable } from "#model/stack-table.ts";
import type { Fraction } from "#model/units.ts";
import type { FrameFunctions } from "#names/frame-functions.ts";

interface Rule {
  readonly pattern: string;
  readonly share: Fraction;
  readonly names: readonly string[];
  readonly types: readonly ProfileType[] | undefined;
}

/**
 * A pattern is reported when the stacks through one of its functions have at least `share` of the total.
 *
 * @param names beginnings of function names; a `.` or `(` at the end excludes longer identifiers
 * @param types of profile that the pattern applies to; all if left out
 */
function rule(pattern: string, share: Fraction, names: string, types?: readonly ProfileType[]): Rule {
  return { pattern, share, names: names.split(" "), types };
}

const rules: readonly Rule[] = [
  rule("gc_pressure", 0.15, "runtime.gcBgMarkWorker runtime.gcAssistAlloc runtime.bgsweep runtime.gcDrain", [
    "cpu",
  ]),
  rule("allocation_heavy", 0.15, "runtime.mallocgc runtime.growslice runtime.newobject runtime.makeslice", [
    "cpu",
  ]),
  rule(
    "lock_contention",
    0.05,
    "sync.(*Mutex).lockSlow internal/sync.(*Mutex).lockSlow runtime.lock2 runtime.semacquire1",
    ["cpu"],
  ),
  rule("lock_contention", 0.5, "sync.(*Mutex). sync.(*RWMutex). internal/sync.(*Mutex).", ["mutex", "block"]),
  rule("channel_blocking", 0.5, "runtime.chanrecv runtime.chansend runtime.selectgo", ["block", "goroutine"]),
  rule("network_wait", 0.5, "internal/poll.runtime_pollWait internal/poll.(*FD). net.(*conn).", [
    "goroutine",
  ]),
  rule("scheduler_overhead", 0.2, "runtime.schedule runtime.findRunnable", ["cpu"]),
  rule("syscall_heavy", 0.2, "syscall. internal/runtime/syscall.", ["cpu"]),
  rule("map_heavy", 0.15, "runtime.map internal/runtime/maps.", ["cpu"]),
  rule("memory_copying", 0.1, "runtime.memmove", ["cpu"]),
  rule(
    "json_heavy",
    0.1,
    "encoding/json github.com/json-iterator/go. github.com/goccy/go-json github.com/bytedance/sonic",
  ),
  rule("reflection_heavy", 0.1, "reflect."),
  rule("regexp_heavy", 0.1, "regexp. regexp/syntax."),
  rule("sorting_heavy", 0.1, "sort. slices.Sort slices.pdq"),
  rule("formatting_heavy", 0.1, "fmt."),
  rule("crypto_heavy", 0.1, "crypto/ golang.org/x/crypto/"),
  rule("compression_heavy", 0.1, "compress/ github.com/klauspost/compress/"),
  rule("template_rendering", 0.1, "text/template. html/template."),
  rule("logging_heavy", 0.1, "log. log/slog. go.uber.org/zap github.com/rs/zerolog"),
  rule(
    "database_heavy",
    0.1,
    "database/sql. github.com/jackc/pgx github.com/lib/pq. gorm.io/ github.com/go-sql-driver/",
  ),
  rule("http_serving", 0.3, "net/http.(*conn).serve github.com/valyala/fasthttp.(*Server)"),
  rule("grpc_serving", 0.3, "google.golang.org/grpc.(*Server)"),
];

/** Occurrences of a function that make a stack deeply recursive. */
const recursionDepth = 8;
/** Share of the total in stacks that are deeply recursive. */
const recursionShare = 0.01;
/** Frames from which a stack is deep, and the share of the total in such stacks. */
const deepFrames = 64;
const deepShare = 0.25;
/** Share of the total that is the self value of one function. */
const hotFunctionShare = 0.3;
/** Types whose cost arises in the leaf. Waiting goroutines always end in the runtime or `sync`. */
const leafTypes: readonly ProfileType[] = ["cpu", "memory"];
/** Goroutines in one stack, and their share. */
const pileupCount = 1000;
const pileupShare = 0.5;

/**
 * Notable patterns in the stacks, in a fixed order. In addition to the rules above: `deep_recursion`,
 * `deep_stacks`, in CPU and memory profiles `single_hot_function` and, in goroutine profiles, `goroutine_pileup`.
 *
 * @param weights of the stacks, none below 0
 */
export function callPatternsOf(
  stacks: StackTable,
  weights: Float64Array,
  functions: FrameFunctions,
  type: ProfileType,
): string[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (!(total > 0)) return [];
  const sums = shapeSums(stacks, weights, functions);
  const found: string[] = [];
  if (sums.recursive >= total * recursionShare) found.push("deep_recursion");
  if (sums.deep >= total * deepShare) found.push("deep_stacks");
  const isHot = sums.self >= total * hotFunctionShare;
  if (leafTypes.includes(type) && isHot) found.push("single_hot_function");
  const isPiledUp = sums.stack >= pileupCount && sums.stack >= total * pileupShare;
  if (type === "goroutine" && isPiledUp) found.push("goroutine_pileup");
  const applicable = rules.filter((rule) => rule.types === undefined || rule.types.includes(type));
  const ruleWeights = ruleWeightsOf(stacks, weights, applicable);
  applicable.forEach((rule, i) => {
    if (ruleWeights[i] >= total * rule.share) found.push(rule.pattern);
  });
  return found;
}

/** For each rule, the weight of the stacks that pass through one of its functions. */
function ruleWeightsOf(stacks: StackTable, weights: Float64Array, applicable: readonly Rule[]): Float64Array {
  const masks = Uint32Array.from(stacks.frames.functionName, (name) => maskOf(name, applicable));
  const sums = new Float64Array(applicable.length);
  for (let i = 0; i < stacks.length; i++) {
    let mask = 0;
    for (let j = stacks.start[i]; j < stacks.start[i + 1]; j++) mask |= masks[stacks.frame[j]];
    for (let bit = 0; mask !== 0; bit++, mask >>>= 1) if ((mask & 1) === 1) sums[bit] += weights[i];
  }
  return sums;
}

function maskOf(name: string, applicable: readonly Rule[]): number {
  let mask = 0;
  applicable.forEach((rule, bit) => {
    if (rule.names.some((start) => name.startsWith(start))) mask |= 1 << bit;
  });
  return mask >>> 0;
}

interface ShapeSums {
  readonly recursive: number;
  readonly deep: number;
  /** The greatest self value of a function. */
  readonly self: number;
  /** The greatest value of a stack. */
  readonly stack: number;
}

function shapeSums(
  stacks: StackTable,
  weights: Float64Array,
  { ofFrame, length }: FrameFunctions,
): ShapeSums {
  const selfOf = new Float64Array(length);
  let recursive = 0;
  let deep = 0;
  let stack = 0;
  for (let i = 0; i < stacks.length; i++) {
    const from = stacks.start[i];
    const to = stacks.start[i + 1];
    const weight = weights[i];
    stack = Math.max(stack, weight);
    if (to - from >= deepFrames) deep += weight;
    if (to === from) continue;
    const leaf = ofFrame[stacks.frame[from]];
    selfOf[leaf] = selfOf[leaf] + weight;
    if (to - from >= recursionDepth && isRecursive(stacks.frame.subarray(from, to), ofFrame))
      recursive += weight;
  }
  let self = 0;
  for (const value of selfOf) self = Math.max(self, value);
  return { recursive, deep, self, stack };
}

function isRecursive(frames: Uint32Array, functionOf: Uint32Array): boolean {
  const counts = new Map<number, number>();
  for (const frame of frames) {
    const fn = functionOf[frame];
    const count = (counts.get(fn) ?? 0) + 1;
    if (count >= recursionDepth) return true;
    counts.set(fn, count);
  }
  return false;
}
