import { formatValue } from "@flamekeep/flame";
import { callRule } from "#rules/call-rule.ts";
import { allocations, meanSize, memoryInUse } from "#rules/heap.ts";
import type { Selection } from "#rules/selection.ts";
import type { Subject } from "#rules/subject.ts";

/** Go allocates objects from 32 KiB on one by one from the page heap; a quarter of a mebibyte is large for any. */
const largeMin = 256 * 1024;

function largestOf(subject: Subject, all: Selection | undefined): Selection | undefined {
  const found = all?.callers.find((caller) => (meanSize(subject, all.of(caller)) ?? 0) >= largeMin);
  return found && all?.of(found);
}

/** Objects that stay in use count before those that are allocated and thrown away. */
function largest(subject: Subject) {
  return largestOf(subject, memoryInUse(subject)) ?? largestOf(subject, allocations(subject));
}

const isInUse = ({ view }: Selection) => view.sampleType.type === "inuse_space";

export const largeObjects = callRule({
  id: "large-objects",
  name: "Large objects",
  types: ["memory"],
  looksAt:
    "Objects of 256 KiB and more on average, by the allocating function: in use, or else allocated and thrown away.",
  yieldsTo: ["heap-growth", "unbounded-cache", "subslice-retention"],
  select: largest,
  from: { low: 0.15, medium: 0.35 },
  confidence: 0.8,
  saves: 0.5,
  issue: ({ where, share, subject, selection }) =>
    `${where} ${isInUse(selection) ? "keeps" : "allocates"} objects of ${formatValue(meanSize(subject, selection) ?? 0, "bytes")}, ${share}: shrink them`,
  impact:
    "Each large object is allocated and cleared as a whole, and may stay in memory because of a small used part.",
  solution: ({ where }) =>
    `Allocate in ${where} only what is filled: start slices with the real number of elements, use sparse maps or chunks instead of arrays for the largest case, smaller element types (int32, float32, indexes instead of strings), and release the object when it is done. Requests can share data that they only read.`,
  example: `// sheet stores rows when they are written, instead of an array for the
// largest possible sheet.
type sheet struct {
	columns int
	rows    map[int][]float64
}

func newSheet(columns int) *sheet {
	return &sheet{columns: columns, rows: make(map[int][]float64)}
}

func (s *sheet) set(row, column int, value float64) {
	cells := s.rows[row]
	if cells == nil {
		cells = make([]float64, s.columns)
		s.rows[row] = cells
	}
	cells[column] = value
}
`,
});
