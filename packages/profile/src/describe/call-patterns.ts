import type { ProfileType } from "@flamekeep/contract/profile-types";
import type { StackTable } from "#model/stack-table.ts";
import type { Fraction } from "#model/units.ts";
import type { FrameFunctions } from "#names/frame-functions.ts";

/**
 * A pattern is reported when the stacks through one of its functions have at least `share` of the total.
 * Names are prefixes of function names; a trailing `.` or `(` excludes longer identifiers.
 */
interface Rule {
  readonly pattern: string;
  /** Types of profile that the pattern applies to; all if left out. */
  readonly types?: readonly ProfileType[];
  readonly share: Fraction;
  readonly names: readonly string[];
}

const rules: readonly Rule[] = [
  {
    pattern: "gc_pressure",
    types: ["cpu"],
    share: 0.15,
    names: ["runtime.gcBgMarkWorker", "runtime.gcAssistAlloc", "runtime.bgsweep", "runtime.gcDrain"],
  },
  {
    pattern: "allocation_heavy",
    types: ["cpu"],
    share: 0.15,
    names: ["runtime.mallocgc", "runtime.growslice", "runtime.newobject", "runtime.makeslice"],
  },
  {
    pattern: "lock_contention",
    types: ["cpu"],
    share: 0.05,
    names: [
      "sync.(*Mutex).lockSlow",
      "internal/sync.(*Mutex).lockSlow",
      "runtime.lock2",
      "runtime.semacquire1",
    ],
  },
  {
    pattern: "lock_contention",
    types: ["mutex", "block"],
    share: 0.5,
    names: ["sync.(*Mutex).", "sync.(*RWMutex).", "internal/sync.(*Mutex)."],
  },
  {
    pattern: "channel_blocking",
    types: ["block", "goroutine"],
    share: 0.5,
    names: ["runtime.chanrecv", "runtime.chansend", "runtime.selectgo"],
  },
  {
    pattern: "network_wait",
    types: ["goroutine"],
    share: 0.5,
    names: ["internal/poll.runtime_pollWait", "internal/poll.(*FD).", "net.(*conn)."],
  },
  {
    pattern: "scheduler_overhead",
    types: ["cpu"],
    share: 0.2,
    names: ["runtime.schedule", "runtime.findRunnable"],
  },
  { pattern: "syscall_heavy", types: ["cpu"], share: 0.2, names: ["syscall.", "internal/runtime/syscall."] },
  { pattern: "map_heavy", types: ["cpu"], share: 0.15, names: ["runtime.map", "internal/runtime/maps."] },
  { pattern: "memory_copying", types: ["cpu"], share: 0.1, names: ["runtime.memmove"] },
  {
    pattern: "json_heavy",
    share: 0.1,
    names: [
      "encoding/json",
      "github.com/json-iterator/go.",
      "github.com/goccy/go-json",
      "github.com/bytedance/sonic",
    ],
  },
  { pattern: "reflection_heavy", share: 0.1, names: ["reflect."] },
  { pattern: "regexp_heavy", share: 0.1, names: ["regexp.", "regexp/syntax."] },
  { pattern: "sorting_heavy", share: 0.1, names: ["sort.", "slices.Sort", "slices.pdq"] },
  { pattern: "formatting_heavy", share: 0.1, names: ["fmt."] },
  { pattern: "crypto_heavy", share: 0.1, names: ["crypto/", "golang.org/x/crypto/"] },
  { pattern: "compression_heavy", share: 0.1, names: ["compress/", "github.com/klauspost/compress/"] },
  { pattern: "template_rendering", share: 0.1, names: ["text/template.", "html/template."] },
  {
    pattern: "logging_heavy",
    share: 0.1,
    names: ["log.", "log/slog.", "go.uber.org/zap", "github.com/rs/zerolog"],
  },
  {
    pattern: "database_heavy",
    share: 0.1,
    names: [
      "database/sql.",
      "github.com/jackc/pgx",
      "github.com/lib/pq.",
      "gorm.io/",
      "github.com/go-sql-driver/",
    ],
  },
  {
    pattern: "http_serving",
    share: 0.3,
    names: ["net/http.(*conn).serve", "github.com/valyala/fasthttp.(*Server)"],
  },
  { pattern: "grpc_serving", share: 0.3, names: ["google.golang.org/grpc.(*Server)"] },
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
