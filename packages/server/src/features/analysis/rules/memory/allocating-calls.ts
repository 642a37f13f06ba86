import { callRule } from "#rules/call-rule.ts";
import { allocations } from "#rules/heap.ts";
import { functions, type Match } from "#rules/match.ts";
import type { Subject } from "#rules/subject.ts";

export const splitting = functions(
  "strings.{Split,SplitN,SplitAfter,Fields,FieldsFunc,genSplit,explode}",
  "bytes.{Split,SplitN,Fields,genSplit}",
);
export const timers = functions("time.{After,NewTimer,NewTicker,Tick,AfterFunc,newTimer}");
export const poolGets = functions("sync.(*Pool).Get");

/** The allocations below calls of these functions by application code. Libraries have their own timers and pools. */
const below = (match: Match) => (subject: Subject) =>
  allocations(subject) && subject.view("alloc_space")?.throughDirectCalls(match);

export const poolWithoutReuse = callRule({
  id: "pool-without-reuse",
  name: "A pool that makes new objects",
  types: ["memory"],
  looksAt: "Allocated bytes in the New function of a sync.Pool.",
  select: below(poolGets),
  from: { low: 0.08, medium: 0.2, high: 0.5 },
  confidence: 0.9,
  saves: 0.8,
  issue: ({ where, share }) => `${where} causes ${share} in the New of a pool: put the objects back`,
  impact:
    "A pool that is asked for more than it gets back makes a new object each time. Each collection empties it too, if its objects wait for two collections.",
  solution: ({ where }) =>
    `In ${where}: call Put on every way out (defer it right after Get), also after errors, and do not replace the object by a new one before Put. If objects outlive the request, a pool does not help: allocate them with their final size.`,
  example: `import (
	"bytes"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func render(use func(*bytes.Buffer) error) error {
	buffer := buffers.Get().(*bytes.Buffer)
	buffer.Reset()
	defer buffers.Put(buffer) // also after errors
	return use(buffer)
}
`,
});

export const timerPerItem = callRule({
  id: "timer-per-item",
  name: "Timers made in a loop",
  types: ["memory"],
  looksAt: "Allocated bytes in time.After and time.NewTimer below application code.",
  select: below(timers),
  from: { low: 0.06, medium: 0.15, high: 0.5 },
  confidence: 0.9,
  saves: 0.9,
  issue: ({ where, share }) => `${where} causes ${share} by making timers: reset one`,
  impact:
    "time.After in a loop makes a timer and a channel for each turn; before Go 1.23 they stay in memory until the time is over.",
  solution: ({ where }) =>
    `Make one time.Timer before the loop in ${where} and Reset it in each turn, or give the whole loop a context with a deadline.`,
  example: `import "time"

func drain(jobs <-chan int, idle time.Duration, run func(int)) {
	timer := time.NewTimer(idle)
	defer timer.Stop()
	for {
		select {
		case job := <-jobs:
			run(job)
			timer.Reset(idle)
		case <-timer.C:
			return
		}
	}
}
`,
});

export const splitTexts = callRule({
  id: "split-texts",
  name: "Texts split for some of their fields",
  types: ["memory"],
  looksAt: "Allocated bytes in strings.Split, strings.Fields and their relatives below application code.",
  select: below(splitting),
  from: { low: 0.08, medium: 0.2, high: 0.6 },
  confidence: 0.85,
  saves: 0.8,
  issue: ({ where, share }) => `${where} causes ${share} by splitting texts: cut the field out`,
  impact: "Split allocates a slice for all fields, whichever are used.",
  solution: ({ where }) =>
    `In ${where}: use strings.Cut for one separator, strings.SplitSeq or FieldsSeq (Go 1.24) for loops, and strings.LastIndexByte for the last field: none of them allocates.`,
  example: `import "strings"

// second is the second field of a line, without a slice of all fields.
func second(line string) string {
	_, rest, _ := strings.Cut(line, ",")
	field, _, _ := strings.Cut(rest, ",")
	return field
}
`,
});
