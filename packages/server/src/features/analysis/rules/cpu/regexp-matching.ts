import { callRule } from "#rules/call-rule.ts";
import { functions } from "#rules/match.ts";

const matching = functions(
  "regexp.(*{Regexp,machine,bitState}).*",
  "github.com/dlclark/regexp2*",
  "github.com/grafana/regexp*",
  "github.com/wasilibs/go-re2*",
);
const compiling = functions(
  "regexp.{compile,Compile,MustCompile}",
  "regexp/syntax.Parse",
  "github.com/dlclark/regexp2.{Compile,MustCompile}",
  "github.com/grafana/regexp.{Compile,MustCompile}",
);

export const regexpMatching = callRule({
  id: "regexp-matching",
  name: "Regular expressions in hot code",
  looksAt: "CPU in matching and replacing by package regexp below application code, without compiling.",
  select: ({ main }) => main.calls(matching).without(compiling),
  // Go's matcher is linear but slow per byte. Whether a simpler check fits cannot be seen from outside: never high.
  from: { low: 0.04, medium: 0.1 },
  confidence: 0.8,
  saves: 0.7,
  issue: ({ where, share }) => `${where} spends ${share} matching regular expressions: use string functions`,
  impact:
    "Go's engine guarantees linear time, at tens of nanoseconds per byte. Plain string functions do simple checks ten to a hundred times faster.",
  solution: ({ where }) =>
    `Replace fixed prefixes, suffixes, separators and character classes in ${where} by strings.HasPrefix, strings.Cut, strings.IndexByte or a loop over the bytes. Where an expression must stay, test with a cheap check first, anchor it with ^, and use the methods without captures.`,
  example: `import "strings"

// isSKU reports whether text is two capital letters, a dash and digits:
// "^[A-Z]{2}-[0-9]+$" without an expression.
func isSKU(text string) bool {
	letters, digits, ok := strings.Cut(text, "-")
	if !ok || len(letters) != 2 || digits == "" {
		return false
	}
	for i := range len(letters) {
		if letters[i] < 'A' || letters[i] > 'Z' {
			return false
		}
	}
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return false
		}
	}
	return true
}
`,
});
