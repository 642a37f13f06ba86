import { formatValue } from "@flamekeep/flame";
import { callRule } from "#rules/call-rule.ts";
import { allocations } from "#rules/heap.ts";
import { anyOf } from "#rules/match.ts";
import { growingBuffers } from "#rules/memory/buffer-growth.ts";
import { decodingJson } from "#rules/memory/json-decode-garbage.ts";
import { makingHelpers } from "#rules/memory/pooled-object-missing.ts";
import { readingAll } from "#rules/memory/read-all.ts";
import type { Subject } from "#rules/subject.ts";

/** Allocations that other rules report, with better advice. */
const reported = anyOf(growingBuffers, readingAll, decodingJson, makingHelpers);

const remaining = (subject: Subject) => allocations(subject)?.without(reported);

/** Something always allocates most; a sixth of all bytes in one function is worth a look, most of them is advice. */
const lowShare = 0.15;

export const garbagePerRequest = callRule({
  id: "garbage-per-request",
  name: "Much memory allocated per call",
  types: ["memory"],
  looksAt:
    "The application function that allocates most bytes, if it dominates the profile. Allocations by buffers, decoders and their like are left to the rules about them.",
  yieldsTo: ["boxed-values", "pool-without-reuse", "split-texts", "timer-per-item"],
  select: (subject) => {
    const all = remaining(subject);
    const [first] = all?.callers ?? [];
    return first === undefined ? undefined : all?.of(first);
  },
  cause: (selection, subject) => {
    const all = remaining(subject) ?? selection;
    const names = all.callers.filter(({ share }) => share >= lowShare).map(({ name }) => name);
    return all.ofCallers((name) => names.includes(name));
  },
  from: { low: lowShare, medium: 0.35 },
  confidence: 0.8,
  saves: 0.7,
  issue: ({ where, share }) => `${where} causes ${share}: reuse its slices and buffers`,
  impact: ({ selection }) =>
    `It allocates ${formatValue(selection.weight, "bytes")}, more than any other function, and most of it is garbage soon after. Garbage costs CPU twice: when it is allocated and cleared, and when the collector runs more often.`,
  solution: ({ where }) =>
    `Keep the slices and structs that ${where} needs and use them again: pass a buffer in, cut it to [:0], or take it from a sync.Pool. Allocate several slices of one size as one, avoid slices whose values can be computed in the loop, and return values instead of pointers.`,
  example: `import "sync"

type window struct{ values []float64 }

var windows = sync.Pool{New: func() any { return new(window) }}

// average uses the memory of earlier calls again.
func average(size int, price func(int) float64) float64 {
	w := windows.Get().(*window)
	defer windows.Put(w)
	w.values = w.values[:0]
	sum := 0.0
	for i := range size {
		w.values = append(w.values, price(i))
		sum += w.values[i]
	}
	return sum / float64(max(size, 1))
}
`,
});
