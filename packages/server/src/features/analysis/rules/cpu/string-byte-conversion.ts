import { callRule } from "#rules/call-rule.ts";
import { functions } from "#rules/match.ts";

const converting = functions(
  "runtime.slicebytetostring",
  "runtime.stringtoslicebyte",
  "runtime.stringtoslicerune",
  "runtime.slicerunetostring",
  "runtime.intstring",
  "bytes.(*Buffer).String",
);

export const stringByteConversion = callRule({
  id: "string-byte-conversion",
  name: "Conversions between strings and bytes",
  looksAt: "CPU in copying strings to byte or rune slices and back, where application code converts.",
  select: ({ main }) => main.directCalls(converting),
  // A conversion copies its text; that is visible only if it happens in a loop or to large texts.
  from: { low: 0.03, medium: 0.06, high: 0.2 },
  confidence: 0.85,
  saves: 0.9,
  issue: ({ where }) =>
    `${where} converts between string and []byte (or []rune) in hot code. Each conversion allocates and copies the text.`,
  impact: () => "Without the conversions it goes away, and so does the garbage that they leave.",
  solution: ({ where }) =>
    `Stay with one representation in ${where}: package bytes has the functions of package strings, strconv.Append* and append write into bytes, and for … range reads runes of a string without []rune. io.WriteString writes a string as it is. The compiler itself avoids the copy in m[string(key)] and in comparisons.`,
  example: String.raw`import (
	"bytes"
	"unicode/utf8"
)

// countWord works on the bytes as they are: no string(line), no []rune.
func countWord(text, word []byte) int {
	count := 0
	for len(text) > 0 {
		var line []byte
		line, text, _ = bytes.Cut(text, []byte{'\n'})
		if bytes.Contains(line, word) {
			count++
		}
	}
	return count
}

// width needs no []rune to count runes.
func width(text string) int {
	return utf8.RuneCountInString(text)
}
`,
});
