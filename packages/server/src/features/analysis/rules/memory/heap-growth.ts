import { growthRule } from "#rules/heap.ts";

export const heapGrowth = growthRule({
  id: "heap-growth",
  name: "Memory that grows",
  looksAt: "Memory in use by application function, compared with earlier profiles of the same series.",
  yieldsTo: ["unbounded-cache"],
  issue: ({ where, share }) => `${where} keeps ${share}, and it grows: release old objects`,
  solution: ({ where }) =>
    `Find what refers to the objects of ${where}: a slice that is only appended to, a map from which nothing is deleted, listeners that are never removed, goroutines that never end. Keep the last n (a ring), aggregate instead of storing single values, or remove what is done.`,
  example: `// recent keeps the last readings and overwrites the oldest: its memory does not
// grow with time.
type recent[T any] struct {
	items []T
	next  int
}

func newRecent[T any](limit int) *recent[T] {
	return &recent[T]{items: make([]T, 0, limit)}
}

func (r *recent[T]) add(item T) {
	if len(r.items) < cap(r.items) {
		r.items = append(r.items, item)
		return
	}
	r.items[r.next] = item
	r.next = (r.next + 1) % len(r.items)
}
`,
});
