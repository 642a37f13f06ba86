import { callRule, type Found, type Thresholds } from "#rules/call-rule.ts";
import { anyOf, functions } from "#rules/match.ts";

const converting = functions(
  "runtime.{slicebytetostring,stringtoslicebyte,stringtoslicerune,slicerunetostring,intstring}",
  "bytes.(*Buffer).String",
);

/** Functions that make new texts out of one. */
const transforming = functions(
  "strings.{ToLower*,ToUpper*,ToTitle*,Title,ToValidUTF8,Map,Replace*,Repeat,Split*,genSplit,Fields*}",
  "strings.{Join,Clone,Trim*}",
  "bytes.{ToLower*,ToUpper*,ToTitle*,Title,Map,Replace*,Repeat,Split*,genSplit,Fields*,Join,Runes}",
  "encoding/hex.{EncodeToString,DecodeString}",
  "encoding/{base64,base32}.(*Encoding).*",
  "html.{EscapeString,UnescapeString}",
  "net/url.{QueryEscape,PathEscape,QueryUnescape,PathUnescape}",
  "strconv.{Quote*,Unquote}",
  "golang.org/x/text/*",
);
const ofConversions: Thresholds = { low: 0.03, medium: 0.06, high: 0.2 };
/** Texts must be taken apart somewhere; that it can be done once cannot be seen. */
const ofTransformations: Thresholds = { low: 0.05, medium: 0.12 };

/** Whether application code itself converts: functions that make texts do it as well. */
function isConversion({ subject, selection }: Found): boolean {
  return subject.main.directCalls(converting).weight > selection.weight / 2;
}

export const stringByteConversion = callRule({
  id: "string-byte-conversion",
  name: "Conversions between strings and bytes",
  looksAt:
    "CPU in copying strings to byte or rune slices and back, and in making new texts (ToLower, Split, Replace), where application code does it.",
  select: ({ main }) => {
    const converted = main.directCalls(converting);
    const transformed = main.directCalls(anyOf(converting, transforming));
    return converted.weight > transformed.weight / 2 ? converted : transformed;
  },
  // A conversion copies its text; that is visible only if it happens in a loop or to large texts.
  from: (found) => (isConversion(found) ? ofConversions : ofTransformations),
  confidence: (found) => (isConversion(found) ? 0.85 : 0.7),
  saves: 0.9,
  issue: (found) =>
    isConversion(found)
      ? `${found.where} spends ${found.share} converting strings and bytes: keep one type`
      : `${found.where} spends ${found.share} copying texts: read them in place`,
  impact: (found) =>
    isConversion(found)
      ? "Each conversion between string and []byte (or []rune) allocates and copies the text. Without it, the garbage goes away, too."
      : "Splitting, replacing, escaping and changing the case allocate and copy the text. Reading a text in place needs no copy, and a text normalized when it is stored needs no work at each request.",
  solution: ({ where }) =>
    `Stay with one representation in ${where}: package bytes has the functions of package strings, strconv.Append* and append write into bytes, and for … range reads runes of a string without []rune. io.WriteString writes a string as it is. strings.EqualFold compares without ToLower, strings.Cut and strings.SplitSeq take a text apart without a slice, and texts to be compared are best normalized when they are stored. The compiler itself avoids the copy in m[string(key)] and in comparisons.`,
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
