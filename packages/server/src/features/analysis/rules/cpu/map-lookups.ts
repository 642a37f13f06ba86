import { callRule } from "#rules/call-rule.ts";
import { functions } from "#rules/match.ts";

const lookingUp = functions(
  "runtime.{mapaccess,mapassign,mapdelete,mapiter,mapIter}*",
  "internal/runtime/maps.*",
  "sync.(*Map).*",
);
const growing = functions(
  "internal/runtime/maps.(*Map).growTo*",
  "internal/runtime/maps.(*table).rehash",
  "runtime.{growWork*,hashGrow}",
);

export const mapLookups = callRule({
  id: "map-lookups",
  name: "Maps in hot loops",
  looksAt: "CPU in reading and writing maps where application code does it, growth left out.",
  yieldsTo: ["map-growth"],
  select: ({ main }) => main.directCalls(lookingUp).without(growing),
  // Maps are fast, and often the right choice: never high.
  from: { low: 0.05, medium: 0.12 },
  confidence: 0.75,
  saves: 0.6,
  issue: ({ where, share }) => `${where} spends ${share} on map operations: look up once, or index a slice`,
  impact:
    "Each operation hashes its key and touches memory all over the map. Dense integer keys index a slice in a nanosecond; a map look-up takes 10 to 100.",
  solution: ({ where }) =>
    `In ${where}: look each key up once per request and pass the result on, read m[key] once instead of testing and reading, use a slice where keys are small integers, an array for bytes, and a struct key instead of a text that is put together. Sets of a few elements are faster as a sorted slice.`,
  example: `// weights of letters: an array indexed by the byte instead of map[byte]int.
var weights = [256]int{'a': 1, 'e': 1, 'q': 10, 'z': 10}

func score(word string) int {
	sum := 0
	for i := range len(word) {
		sum += weights[word[i]]
	}
	return sum
}

// count reads and writes each key once.
func count(words []string) map[string]*int {
	counts := make(map[string]*int, len(words))
	for _, word := range words {
		number := counts[word]
		if number == nil {
			number = new(int)
			counts[word] = number
		}
		*number++
	}
	return counts
}
`,
});
