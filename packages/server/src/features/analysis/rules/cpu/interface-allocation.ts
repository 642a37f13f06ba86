import { callRule, type Thresholds } from "#rules/call-rule.ts";
import { anyOf, functions } from "#rules/match.ts";
import type { Selection } from "#rules/selection.ts";

const boxing = functions("runtime.{convT,convT16,convT32,convT64,convTnoptr,convTstring,convTslice}");

/** Finding out at run time what an interface holds, and comparing or hashing it. */
const inspecting = functions("runtime.{assertE2I*,typeAssert,interfaceSwitch,getitab,efaceeq,ifaceeq}");
/** Hashing and comparing the keys of maps whose keys are interfaces. */
const keys = functions("runtime.{nilinterhash,interhash,nilinterequal,interequal}");

/** Containers of any: each value is boxed on its way in, and each comparison is a call through an interface. */
const containers = functions("container/heap.{Push,Pop,Fix}", "container/{list,ring}.*");
/** Comparisons and the boxing of one element count as well, so that a container needs a larger share than boxing alone. */
const ofContainers: Thresholds = { low: 0.06, medium: 0.12 };
const ofBoxing: Thresholds = { low: 0.02, medium: 0.05, high: 0.15 };
const ofInspection: Thresholds = { low: 0.03, medium: 0.08 };

const isContainer = (selection: Selection) => selection.and(containers).weight > selection.weight / 2;

function thresholdsOf(selection: Selection): Thresholds {
  if (isContainer(selection)) return ofContainers;
  return selection.and(boxing).weight > selection.weight / 2 ? ofBoxing : ofInspection;
}

export const interfaceAllocation = callRule({
  id: "interface-allocation",
  name: "Values boxed in interfaces",
  looksAt:
    "CPU in converting values to interfaces (runtime.convT…), inspecting and comparing them where application code does it, and in containers of any.",
  yieldsTo: ["fmt-in-hot-path", "logging-cost"],
  select: ({ main }) => {
    const boxed = main.directCalls(boxing);
    const contained = main.throughOutermost(containers);
    const compared = main.calls(keys);
    const inspected = main.directCalls(anyOf(boxing, inspecting));
    return [contained, compared, inspected].reduce(
      (most, one) => (one.weight > most.weight ? one : most),
      boxed,
    );
  },
  from: ({ selection }) => thresholdsOf(selection),
  confidence: 0.85,
  saves: ({ selection }) => (isContainer(selection) ? 0.5 : 0.9),
  issue: ({ where, share, selection }) =>
    `${where} spends ${share} ${thresholdsOf(selection) === ofInspection ? "inspecting interfaces" : "boxing values in interfaces"}: use concrete types`,
  impact: ({ selection }) =>
    thresholdsOf(selection) === ofInspection
      ? "Interfaces are inspected, compared and hashed at run time. The compiler knows how to compare concrete types."
      : "Each conversion to an interface copies the value to the heap. Concrete types and type parameters need no allocation.",
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
