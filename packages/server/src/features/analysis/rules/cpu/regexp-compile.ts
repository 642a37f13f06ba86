import { callRule } from "#rules/call-rule.ts";
import { functions } from "#rules/match.ts";

const compiling = functions(
  "regexp.{compile,Compile,MustCompile}",
  "regexp/syntax.{Parse,parse,Compile}",
  "github.com/dlclark/regexp2.{Compile,MustCompile}",
  "github.com/grafana/regexp.{Compile,MustCompile}",
);

export const regexpCompile = callRule({
  id: "regexp-compile",
  name: "Regular expressions compiled while serving",
  looksAt: "CPU in regexp.Compile and regexp.MustCompile below application code, program start left out.",
  select: ({ main }) => main.calls(compiling),
  // Compiling while serving is never needed for a fixed expression, so that a small share is worth a report.
  from: { low: 0.01, medium: 0.025, high: 0.06, isNeverNeeded: true },
  confidence: 0.95,
  saves: 0.95,
  issue: ({ where, share }) => `${where} spends ${share} compiling regular expressions: compile them once`,
  impact:
    "Compiling parses the expression and builds its program, which costs far more than most matches. Almost all of it goes away when the expression is compiled once.",
  solution: ({ where }) =>
    `Compile the expression once, in a package variable, and use it in ${where}: a *regexp.Regexp is safe for concurrent use. If it depends on input, keep compiled expressions in a bounded cache; if it is plain text, strings.Contains or strings.ReplaceAll needs no expression at all.`,
  example: `import "regexp"

// Compiled once, when the program starts.
var orderID = regexp.MustCompile("^[A-Z]{2}-[0-9]{6}$")

func isOrderID(text string) bool {
	return orderID.MatchString(text)
}
`,
});
