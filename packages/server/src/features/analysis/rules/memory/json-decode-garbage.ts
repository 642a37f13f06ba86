import { callRule } from "#rules/call-rule.ts";
import { allocations } from "#rules/heap.ts";
import { functions } from "#rules/match.ts";

export const decodingJson = functions(
  "encoding/json.{(*decodeState)*,Unmarshal,(*Decoder)*,unquote*}",
  "github.com/json-iterator/go.(*Iterator)*",
);

export const jsonDecodeGarbage = callRule({
  id: "json-decode-garbage",
  name: "Garbage of decoding JSON",
  types: ["memory"],
  looksAt: "Allocated bytes in decoding JSON below application code.",
  select: (subject) => allocations(subject)?.and(decodingJson),
  from: { low: 0.08, medium: 0.2, high: 0.5 },
  confidence: 0.9,
  saves: 0.6,
  issue: ({ where, share }) => `${where} causes ${share} decoding JSON: decode into structs`,
  impact:
    "Maps and interfaces need an allocation for every member, key and number. A struct with the needed members takes a fraction of that, and decoding again into the same struct reuses its memory.",
  solution: ({ where }) =>
    `Decode into structs instead of map[string]any in ${where}, leave out members that nobody reads, keep parts that are only passed on as json.RawMessage, and decode streams element by element with Decoder.Token.`,
  example: String.raw`import (
	"encoding/json"
	"io"
)

// reading has only the members that are used; the others are skipped.
type reading struct {
	Sensor string  "json:\"sensor\""
	Value  float64 "json:\"value\""
}

// each decodes an array element by element into one struct.
func each(body io.Reader, use func(reading)) error {
	decoder := json.NewDecoder(body)
	if _, err := decoder.Token(); err != nil {
		return err
	}
	for decoder.More() {
		var one reading
		if err := decoder.Decode(&one); err != nil {
			return err
		}
		use(one)
	}
	_, err := decoder.Token()
	return err
}
`,
});
