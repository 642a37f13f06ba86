import { callRule } from "#rules/call-rule.ts";
import { functions } from "#rules/match.ts";

const growing = functions("runtime.growslice", "bytes.growSlice");
/** Calls of the standard library that grow a slice on behalf of their caller. */
const appending = functions(
  "runtime.growslice",
  "slices.{Grow,Insert,Append*,Collect,Concat,Sorted*}",
  "strconv.Append*",
  "fmt.Append*",
  "unicode/utf8.AppendRune",
  "time.Time.AppendFormat",
  "encoding/{hex,binary}.Append*",
  "encoding/base64.(*Encoding).Append*",
  "strings.(*Builder).*",
  "bytes.(*Buffer).*",
);

export const sliceGrowth = callRule({
  id: "slice-growth",
  name: "Slices that grow while they are filled",
  looksAt: "CPU in growing slices where application code appends.",
  select: ({ main }) => main.directCalls(appending).and(growing),
  from: { low: 0.03, medium: 0.06, high: 0.2 },
  confidence: 0.9,
  saves: 0.75,
  issue: ({ where, share }) => `${where} spends ${share} growing slices: allocate them with capacity`,
  impact:
    "Each time a slice is full, a larger one is allocated and all elements are copied, about twice the final size in total. A slice made with its capacity does neither.",
  solution: ({ where }) =>
    `Make the slice in ${where} with its final or likely capacity, make([]T, 0, n), or slices.Grow before the loop. Slices that each request fills can be kept in a sync.Pool and cut to [:0].`,
  example: `type order struct{ Cents int }

func totals(orders []order) []int {
	cents := make([]int, 0, len(orders))
	for _, one := range orders {
		cents = append(cents, one.Cents)
	}
	return cents
}
`,
});
