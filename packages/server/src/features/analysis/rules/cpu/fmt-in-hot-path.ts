import { callRule } from "#rules/call-rule.ts";
import { functions } from "#rules/match.ts";

const formatting = functions("fmt.*");

export const fmtInHotPath = callRule({
  id: "fmt-in-hot-path",
  name: "fmt in hot code",
  looksAt: "CPU in package fmt below application code, logging left out.",
  yieldsTo: ["logging-cost", "template-execution"],
  select: ({ main }) => main.calls(formatting),
  // Formatting a fifth of all CPU is never the purpose of a service.
  from: { low: 0.03, medium: 0.06, high: 0.2 },
  confidence: 0.85,
  saves: 0.7,
  issue: ({ where, share }) => `${where} spends ${share} in fmt: use strconv and append`,
  impact:
    "Each call parses the format, wraps every argument in an interface and inspects it by reflection. strconv and append are three to ten times faster, with fewer allocations.",
  solution: ({ where }) =>
    `Build the text in ${where} with strconv.AppendInt, strconv.AppendFloat and append into one reused []byte, or with a strings.Builder. Keys of maps need no text at all: use a struct of the parts.`,
  example: String.raw`import "strconv"

// appendLine is fmt.Sprintf("%s x%d = %.2f\n", name, count, price) without
// interfaces and reflection.
func appendLine(to []byte, name string, count int, price float64) []byte {
	to = append(to, name...)
	to = append(to, " x"...)
	to = strconv.AppendInt(to, int64(count), 10)
	to = append(to, " = "...)
	to = strconv.AppendFloat(to, price, 'f', 2, 64)
	return append(to, '\n')
}
`,
});
