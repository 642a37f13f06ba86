import { callRule } from "#rules/call-rule.ts";
import { functions } from "#rules/match.ts";

const copying = functions("runtime.{memmove,duffcopy,typedmemmove,typedslicecopy,wbMove}");
/** The compiler copies values of some hundred bytes by these. */
const structs = functions("runtime.{duffcopy,typedmemmove,wbMove}");
/** Copies that other rules explain. */
const explained = functions(
  "runtime.{growslice,concatstring*,slicebytetostring,stringtoslicebyte,mallocgc*,chan*}",
  "internal/reflectlite.*",
  "sort.*",
  "slices.{Sort,pdq,insertion,heap,stable,partition}*",
  "reflect.*",
  "internal/runtime/maps.*",
  "compress/*",
);

/** A copy of a map hashes and inserts every entry. */
const copyingMaps = functions(
  "maps.{Clone,Copy,clone}",
  "runtime.mapclone*",
  "internal/runtime/maps.mapclone*",
  "net/http.Header.Clone",
);

export const memoryCopies = callRule({
  id: "memory-copies",
  name: "Copying memory",
  looksAt:
    "CPU in memmove below application code that appends, copies or assigns, and in copying maps; growth and conversions left out.",
  yieldsTo: ["json-reflection", "fmt-in-hot-path", "compression-level", "logging-cost", "template-execution"],
  select: ({ main }) => {
    const copies = main.calls(copying).without(explained);
    const maps = main.calls(copyingMaps);
    return maps.weight > copies.weight ? maps : copies;
  },
  from: { low: 0.05, medium: 0.1 },
  confidence: 0.7,
  saves: 0.7,
  issue: ({ where, share, selection }) =>
    selection.and(structs).weight > selection.weight / 2
      ? `${where} spends ${share} copying large structs: pass pointers`
      : `${where} spends ${share} copying memory: pass sub-slices and pointers`,
  impact:
    "Whole slices, buffers or large structs are copied in hot code. References, sub-slices and pointers to large structs need no copy.",
  solution: ({ where }) =>
    `In ${where}: pass slices on instead of copying them (slices.Clone, append([]T(nil), …)), range over indexes or pointers where elements are large structs, use pointer receivers for them, and write to the destination directly instead of through a buffer. Removing or inserting at the front of a slice moves all of it: use an index or a ring.`,
  example: `type event struct {
	Payload [512]byte
	Size    int
}

// total takes each element by its address: range with a value copies 520 bytes
// each time.
func total(events []event) int {
	sum := 0
	for i := range events {
		sum += events[i].Size
	}
	return sum
}

// queue takes from the front without moving the rest.
type queue struct {
	items []event
	first int
}

func (q *queue) next() *event {
	if q.first == len(q.items) {
		q.items, q.first = q.items[:0], 0
		return nil
	}
	q.first++
	return &q.items[q.first-1]
}
`,
});
