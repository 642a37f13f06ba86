import { callRule } from "#rules/call-rule.ts";
import { functions } from "#rules/match.ts";

const joining = functions("runtime.concatstring*");
const copying = functions("runtime.{memmove,mallocgcLarge,memclrNoHeapPointersChunked}");

export const stringConcatenation = callRule({
  id: "string-concatenation",
  name: "String concatenation in loops",
  looksAt:
    "CPU in concatenating strings with + where application code does it; much copying means long strings.",
  select: ({ main }) => main.directCalls(joining),
  from: { low: 0.03, medium: 0.06, high: 0.15 },
  confidence: ({ selection }) => (selection.and(copying).weight > selection.weight / 4 ? 0.95 : 0.8),
  saves: 0.9,
  issue: ({ where, share }) => `${where} spends ${share} concatenating strings: use a strings.Builder`,
  impact: ({ selection }) =>
    `Each + allocates a new string and copies both parts${
      selection.and(copying).weight > selection.weight / 4
        ? "; most of the time is copying, as when a long text grows piece by piece, which is quadratic."
        : "."
    } A builder with the right capacity copies each part once.`,
  solution: ({ where }) =>
    `Use a strings.Builder in ${where}, with Grow for the expected length, or append to a []byte that is reused. strings.Join does it for a slice of parts.`,
  example: String.raw`import "strings"

func table(rows []string) string {
	size := 0
	for _, row := range rows {
		size += len(row) + 1
	}
	var text strings.Builder
	text.Grow(size)
	for _, row := range rows {
		text.WriteString(row)
		text.WriteByte('\n')
	}
	return text.String()
}
`,
});
