import type { Found } from "#rules/call-rule.ts";
import { callRule } from "#rules/call-rule.ts";
import { functions } from "#rules/match.ts";

const json = functions(
  "encoding/json.*",
  "encoding/json/{v2,jsontext}.*",
  "encoding/json/internal*",
  "github.com/json-iterator/go.*",
  "github.com/go-json-experiment/json*",
  "github.com/goccy/go-json*",
  "github.com/segmentio/encoding/json*",
  "github.com/bytedance/sonic*",
);
/** Values without a static type: maps and interfaces allocate for each member, and sort the keys. */
const dynamic = functions(
  "encoding/json.{mapEncoder.encode,interfaceEncoder,MarshalIndent,Indent}",
  "encoding/json.(*decodeState).{objectInterface,arrayInterface,valueInterface}",
);
const typed = functions("encoding/json.{structEncoder.encode,arrayEncoder.encode}");
const decoding = functions("encoding/json.{(*decodeState)*,checkValid,Unmarshal}");

/** Part of the JSON work in values without a static type from which on they are named as the reason. */
const dynamicPart = 0.4;

/** Whether most of the work is done for values without a type: a struct inside of a map counts as typed. */
function isDynamic({ selection, subject: { main } }: Found): boolean {
  const dynamicFlags = main.index.flagsOf(dynamic);
  const typedFlags = main.index.flagsOf(typed);
  const part = main.select(dynamic, (from, to) => {
    for (let at = from; at < to; at++) {
      const fn = main.functionAt(at);
      if (typedFlags[fn] === 1) return -1;
      if (dynamicFlags[fn] === 1) return at;
    }
    return -1;
  });
  return part.weight >= selection.weight * dynamicPart;
}

export const jsonReflection = callRule({
  id: "json-reflection",
  name: "JSON by reflection",
  looksAt: "CPU in encoding/json below application code; maps, interfaces and indentation weigh more.",
  select: ({ main }) => main.calls(json),
  // APIs speak JSON: a share of typed JSON is no mistake, so only values without a type may be high.
  from: (found) => (isDynamic(found) ? { low: 0.03, medium: 0.06, high: 0.25 } : { low: 0.05, medium: 0.1 }),
  confidence: (found) => (isDynamic(found) ? 0.9 : 0.8),
  saves: 0.5,
  issue: ({ where, share, selection }) =>
    `${where} spends ${share} ${selection.and(decoding).weight > selection.weight / 2 ? "decoding" : "encoding"} JSON by reflection: use typed code`,
  impact: (found) =>
    `encoding/json walks every value by reflection.${
      isDynamic(found)
        ? " Most of the time is in maps, interfaces or indentation, the most expensive parts."
        : ""
    } Typed values and a generated or hand-written encoder take half of that or less.`,
  solution: (found) =>
    `In ${found.where}: ${isDynamic(found) ? "use structs instead of map[string]any, " : ""}encode into a reused buffer, and keep the encoded bytes of answers that rarely change. For the hottest types write the JSON with strconv.Append* or generate the encoder (easyjson), and measure encoding/json/v2 (GOEXPERIMENT=jsonv2), which decodes several times faster.`,
  example: String.raw`import (
	"strconv"
	"unicode/utf8"
)

type item struct {
	ID    int64
	Name  string
	Cents int64
}

// appendJSON writes the item without reflection and, if the buffer is large
// enough, without allocation.
func (i item) appendJSON(to []byte) []byte {
	to = append(to, "{\"id\":"...)
	to = strconv.AppendInt(to, i.ID, 10)
	to = append(to, ",\"name\":"...)
	to = appendString(to, i.Name)
	to = append(to, ",\"cents\":"...)
	to = strconv.AppendInt(to, i.Cents, 10)
	return append(to, '}')
}

func appendString(to []byte, text string) []byte {
	const hex = "0123456789abcdef"
	to = append(to, '"')
	for _, char := range text {
		switch {
		case char == '"' || char == '\\':
			to = append(to, '\\', byte(char))
		case char < 0x20:
			to = append(to, '\\', 'u', '0', '0', hex[char>>4], hex[char&15])
		default:
			to = utf8.AppendRune(to, char)
		}
	}
	return append(to, '"')
}
`,
});
