import { callRule } from "#rules/call-rule.ts";
import { allocations } from "#rules/heap.ts";
import { functions } from "#rules/match.ts";

export const makingHelpers = functions(
  "compress/flate.{NewWriter*,newDeflateFast,newHuffmanBitWriter,NewReader*}",
  "compress/flate.(*compressor).init",
  "compress/{gzip,zlib}.{NewWriter,NewReader}*",
  "bufio.{NewReader,NewWriter}*",
  "github.com/klauspost/compress*",
  "github.com/andybalholm/brotli.*",
  "io.copyBuffer",
  "net/http/httputil.(*ReverseProxy).copyBuffer",
  "encoding/gob.{NewEncoder,NewDecoder}",
);

export const pooledObjectMissing = callRule({
  id: "pooled-object-missing",
  name: "Large objects made for each use",
  types: ["memory"],
  looksAt:
    "Allocated bytes in making compressors, buffered readers and writers, and decoders below application code.",
  select: (subject) => allocations(subject)?.and(makingHelpers),
  from: { low: 0.05, medium: 0.12, high: 0.4 },
  confidence: 0.95,
  saves: 0.9,
  issue: ({ where, share }) => `${where} causes ${share} by creating helper objects: pool them`,
  impact:
    "Compressors, buffered readers and similar objects are created for each use and thrown away. A gzip.Writer alone is about 800 KiB. A pool with a handful of them serves all requests.",
  solution: ({ where }) =>
    `Keep the objects in a sync.Pool and Reset them in ${where}: gzip.Writer, gzip.Reader (as flate.Resetter), bufio.Reader and bufio.Writer all have Reset. Put them back after Close, also when an error occurred.`,
  example: String.raw`import (
	"bufio"
	"io"
	"sync"
)

var readers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, 64<<10) }}

func firstLine(from io.Reader) (string, error) {
	reader := readers.Get().(*bufio.Reader)
	reader.Reset(from)
	defer func() {
		reader.Reset(nil) // does not keep the source alive
		readers.Put(reader)
	}()
	return reader.ReadString('\n')
}
`,
});
