import { callRule } from "#rules/call-rule.ts";
import { functions } from "#rules/match.ts";

const boxing = functions(
  "runtime.convT",
  "runtime.convT16",
  "runtime.convT32",
  "runtime.convT64",
  "runtime.convTnoptr",
  "runtime.convTstring",
  "runtime.convTslice",
);

export const interfaceAllocation = callRule({
  id: "interface-allocation",
  name: "Values boxed in interfaces",
  looksAt: "CPU in converting values to interfaces (runtime.convT…) where application code does it.",
  yieldsTo: ["fmt-in-hot-path", "logging-cost"],
  select: ({ main }) => main.directCalls(boxing),
  from: { low: 0.02, medium: 0.05, high: 0.15 },
  confidence: 0.85,
  saves: 0.9,
  issue: ({ where }) =>
    `${where} stores values in interfaces in hot code. Each conversion to any or to another interface copies the value to the heap.`,
  impact: () => "Concrete types and type parameters need no allocation.",
  solution: ({ where }) =>
    `Give the containers and functions that ${where} uses concrete types or type parameters instead of any: []T instead of []any, a generic heap instead of container/heap, an atomic.Pointer[T] instead of atomic.Value. Where an interface is needed, store pointers.`,
  example: `import "cmp"

// stack holds values of one type: no boxing, no type assertion.
type stack[T any] struct{ items []T }

func (s *stack[T]) push(item T) { s.items = append(s.items, item) }

func (s *stack[T]) pop() (item T, ok bool) {
	if len(s.items) == 0 {
		return item, false
	}
	item = s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	return item, true
}

func largest[T cmp.Ordered](first T, rest ...T) T {
	for _, one := range rest {
		first = max(first, one)
	}
	return first
}
`,
});
