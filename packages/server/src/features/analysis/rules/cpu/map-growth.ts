import { callRule } from "#rules/call-rule.ts";
import { functions } from "#rules/match.ts";

const growing = functions(
  "internal/runtime/maps.(*Map).{growToTable,growToSmall}",
  "internal/runtime/maps.(*table).{rehash,grow,split}",
  "runtime.{hashGrow,growWork*,evacuate*}",
);

/** Maps that application code fills itself, or by a function of package maps; maps of libraries are not its to size. */
const filling = functions("runtime.{map*,hashGrow}", "internal/runtime/maps.*", "maps.*");

export const mapGrowth = callRule({
  id: "map-growth",
  name: "Maps that grow while they are filled",
  looksAt: "CPU in growing and rehashing maps that application code fills.",
  select: ({ main }) => main.directCalls(filling).and(growing),
  // Long-lived maps grow rarely; a share of several percent means that maps are filled again and again.
  from: { low: 0.02, medium: 0.05, high: 0.2 },
  confidence: 0.9,
  saves: 0.85,
  issue: ({ where, share }) => `${where} spends ${share} growing maps: pass the expected size to make`,
  impact:
    "Each time a map is full, its table is doubled and every entry is moved. A map made with its final size never grows.",
  solution: ({ where }) =>
    `Pass the expected number of entries to make in ${where}: make(map[K]V, n). Where the same map is rebuilt for every request, keep it and empty it with clear(m), which keeps its memory; a set of few elements is faster as a sorted slice.`,
  example: `type product struct {
	ID   int
	Name string
}

func byID(products []product) map[int]product {
	found := make(map[int]product, len(products))
	for _, one := range products {
		found[one.ID] = one
	}
	return found
}
`,
});
