import { callRule, type Found } from "#rules/call-rule.ts";
import { allocations } from "#rules/heap.ts";
import { functions } from "#rules/match.ts";

export const decodingJson = functions(
  "encoding/json.{(*decodeState)*,Unmarshal,(*Decoder)*,unquote*}",
  "github.com/json-iterator/go.(*Iterator)*",
);

/** Values without a static type. */
const dynamic = functions(
  "encoding/json.(*decodeState).{objectInterface,arrayInterface,valueInterface,literalInterface}",
  "github.com/json-iterator/go.(*Iterator).Read",
  "reflect.mapassign*",
);
/** Part of the decoding from which on they are the reason. */
const dynamicPart = 0.4;

function isDynamic({ selection }: Found): boolean {
  return selection.and(dynamic).weight >= selection.weight * dynamicPart;
}

export const jsonDecodeGarbage = callRule({
  id: "json-decode-garbage",
  name: "Garbage of decoding JSON",
  types: ["memory"],
  looksAt: "Allocated bytes in decoding JSON below application code.",
  select: (subject) => allocations(subject)?.and(decodingJson),
  // Code that reads JSON into structs has to allocate them: seldom a mistake.
  from: (found) => (isDynamic(found) ? { low: 0.08, medium: 0.2, high: 0.5 } : { low: 0.12, medium: 0.5 }),
  confidence: (found) => (isDynamic(found) ? 0.9 : 0.6),
  saves: (found) => (isDynamic(found) ? 0.6 : 0.3),
  issue: (found) =>
    `${found.where} causes ${found.share} decoding JSON: ${isDynamic(found) ? "decode into structs" : "reuse what it decodes into"}`,
  impact: (found) =>
    isDynamic(found)
      ? "Maps and interfaces need an allocation for every member, key and number. A struct with the needed members takes a fraction of that, and decoding again into the same struct reuses its memory."
      : "Each document gets new strings, slices and structs, and a decoder with a buffer. Decoding again into the same value reuses its slices.",
  solution: (found) =>
    `${isDynamic(found) ? `Decode into structs instead of map[string]any in ${found.where}` : `In ${found.where}: decode again into the same value`}, leave out members that nobody reads, keep parts that are only passed on as json.RawMessage, and decode streams element by element with Decoder.Token.`,
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
