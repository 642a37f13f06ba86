import { callRule } from "#rules/call-rule.ts";
import { allocations, meanSize } from "#rules/heap.ts";
import { functions } from "#rules/match.ts";
import type { Subject } from "#rules/subject.ts";

const boxing = functions("runtime.convT*");
const containers = functions("container/{heap,list,ring}.*", "sync.(*Map).*");
/** Boxed numbers, strings and slices take 8 to 24 bytes; larger objects are structs. */
const boxedSizeMax = 32;

/** Whether the CPU profile of the service shows that the function boxes values. */
function isBoxing(subject: Subject, name: string): boolean {
  return (
    subject
      .related("cpu")
      ?.main.directCalls(boxing)
      .callers.some((caller) => caller.name === name) ?? false
  );
}

/** The function that allocates most tiny objects. */
function tinyObjects(subject: Subject) {
  const all = allocations(subject);
  if (all === undefined) return undefined;
  const found = all.callers.find((caller) => {
    const part = all.of(caller);
    const size = meanSize(subject, part) ?? Number.POSITIVE_INFINITY;
    return (
      isBoxing(subject, caller.name) || size <= boxedSizeMax || part.and(containers).weight > part.weight / 2
    );
  });
  return found && all.of(found);
}

export const boxedValues = callRule({
  id: "boxed-values",
  name: "Values stored as any",
  types: ["memory"],
  looksAt:
    "Allocated bytes in objects of up to 32 bytes, in container/list and heap, and where the CPU profile shows boxing.",
  yieldsTo: ["json-decode-garbage"],
  select: tinyObjects,
  from: { low: 0.1, medium: 0.25, high: 0.6 },
  confidence: ({ subject, caller }) => (caller && isBoxing(subject, caller.name) ? 0.95 : 0.65),
  saves: 0.8,
  issue: ({ where, share }) => `${where} causes ${share} with tiny boxed objects: use typed slices`,
  impact:
    "Numbers and strings in any, or small values behind pointers, cost 8 to 24 bytes and an allocation each, and the collector has to visit them; in a typed slice they need neither.",
  solution: ({ where }) =>
    `Give the values in ${where} their type: []float64 or a struct of slices instead of []any, type parameters instead of interface{}, a slice of structs instead of a slice of pointers, and a generic list instead of container/list.`,
  example: `// column holds values of one type next to each other.
type column[T any] struct {
	name   string
	values []T
}

func (c *column[T]) add(value T) { c.values = append(c.values, value) }

// table has a typed column for each kind instead of rows of []any.
type table struct {
	names  column[string]
	prices column[float64]
}

func (t *table) addRow(name string, price float64) {
	t.names.add(name)
	t.prices.add(price)
}
`,
});
