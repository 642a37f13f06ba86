import type { Found } from "#rules/call-rule.ts";
import { callRule } from "#rules/call-rule.ts";
import { functions } from "#rules/match.ts";

const sorting = functions("sort.*");
/** Searching, and sorting plain values, which package slices does in either case. */
const plain = functions("sort.{Search*,Find,Strings,Ints,Float64s,StringSlice.*,IntSlice.*}");
const reflective = functions("sort.{Slice,SliceStable}", "internal/reflectlite.Swapper*");

function isReflective({ selection }: Found): boolean {
  return selection.and(reflective).weight >= selection.weight / 2;
}

export const sortWithReflection = callRule({
  id: "sort-with-reflection",
  name: "Sorting by reflection or interface",
  looksAt: "CPU in sort.Slice and sort.Sort, what they call included.",
  select: ({ main }) => main.through(sorting).without(plain),
  // sort.Slice always has a faster replacement; sort.Sort gains less.
  from: (found) =>
    isReflective(found) ? { low: 0.02, medium: 0.05, high: 0.15 } : { low: 0.03, medium: 0.08 },
  confidence: (found) => (isReflective(found) ? 0.95 : 0.8),
  saves: 0.45,
  issue: (found) =>
    `${found.where} spends ${found.share} in ${isReflective(found) ? "sort.Slice" : "sort.Sort"}: use slices.SortFunc`,
  impact: (found) =>
    `${
      isReflective(found)
        ? "sort.Slice swaps elements by reflection and calls the comparison through a closure with indexes."
        : "sort.Sort calls Less and Swap through an interface for every step."
    } slices.SortFunc is generic, works on the elements directly, and is about twice as fast.`,
  solution: ({ where }) =>
    `Use slices.SortFunc with cmp.Compare in ${where} (slices.Sort for plain values). If only the first few are needed, a heap or a selection of the top n beats sorting all; data that rarely changes can be kept sorted.`,
  example: `import (
	"cmp"
	"slices"
)

type product struct {
	Name  string
	Cents int
}

func sortByPrice(products []product) {
	slices.SortFunc(products, func(a, b product) int {
		return cmp.Or(cmp.Compare(a.Cents, b.Cents), cmp.Compare(a.Name, b.Name))
	})
}
`,
});
