import { callRule } from "#rules/call-rule.ts";
import { allocations } from "#rules/heap.ts";
import { functions } from "#rules/match.ts";

export const growingBuffers = functions("bytes.growSlice", "bytes.(*Buffer).*", "strings.(*Builder).*");

export const bufferGrowth = callRule({
  id: "buffer-growth",
  name: "Buffers that grow step by step",
  types: ["memory"],
  looksAt: "Allocated bytes in growing bytes.Buffer and strings.Builder below application code.",
  select: (subject) => allocations(subject)?.and(growingBuffers),
  from: { low: 0.05, medium: 0.12, high: 0.4 },
  confidence: 0.9,
  saves: 0.6,
  issue: ({ where, share }) => `${where} causes ${share} by growing buffers: call Grow, or pool them`,
  impact:
    "Each time a buffer is full, twice as much is allocated and everything is copied, about twice the final size in total. A buffer of the right size, or a reused one, allocates once or never.",
  solution: ({ where }) =>
    `Call Grow with the expected size before ${where} writes, or keep buffers in a sync.Pool and Reset them. Write directly to the response or file through a bufio.Writer where the text need not be in memory at once.`,
  example: String.raw`import (
	"bytes"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// render lends a buffer that has grown already. Very large ones are left to
// the collector, so that one page does not keep memory for all.
func render(rows []string, use func([]byte) error) error {
	buffer := buffers.Get().(*bytes.Buffer)
	defer func() {
		if buffer.Cap() <= 1<<20 {
			buffers.Put(buffer)
		}
	}()
	buffer.Reset()
	for _, row := range rows {
		buffer.WriteString(row)
		buffer.WriteByte('\n')
	}
	return use(buffer.Bytes())
}
`,
});
