import { callRule, type Found } from "#rules/call-rule.ts";
import { allocations } from "#rules/heap.ts";
import { functions, type Match } from "#rules/match.ts";

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

const compressors = functions(
  "compress/flate.{NewWriter*,newDeflateFast,newHuffmanBitWriter}",
  "compress/flate.(*compressor).init",
);
const copyBuffers = functions("io.copyBuffer", "net/http/httputil.(*ReverseProxy).copyBuffer");

const isMostly = (match: Match, { selection }: Found) => selection.and(match).weight > selection.weight / 2;

/** The size of the objects, as far as their kind is known. */
function kindText(found: Found): string {
  if (isMostly(compressors, found)) return " A gzip.Writer alone is about 800 KiB.";
  return isMostly(copyBuffers, found)
    ? " io.Copy takes a buffer of 32 KiB for each call, unless its reader or writer copies by itself."
    : "";
}

export const pooledObjectMissing = callRule({
  id: "pooled-object-missing",
  name: "Large objects made for each use",
  types: ["memory"],
  looksAt:
    "Allocated bytes in making compressors, buffered readers and writers, and decoders below application code.",
  select: (subject) => allocations(subject)?.and(makingHelpers),
  // A buffer for each copy is cheap: what it costs is the collection.
  from: (found) =>
    isMostly(copyBuffers, found) ? { low: 0.15, medium: 0.5 } : { low: 0.05, medium: 0.12, high: 0.4 },
  confidence: (found) => (isMostly(copyBuffers, found) ? 0.7 : 0.95),
  saves: 0.9,
  issue: ({ where, share }) => `${where} causes ${share} by creating helper objects: pool them`,
  impact: (found) =>
    `${isMostly(copyBuffers, found) ? "A buffer" : "A compressor, a buffered reader or a similar object"} is created for each use and thrown away.${kindText(found)} A pool with a handful of them serves all requests.`,
  solution: (found) =>
    isMostly(copyBuffers, found)
      ? `Use io.CopyBuffer in ${found.where} with a buffer from a sync.Pool, set BufferPool of a ReverseProxy, or copy between types that implement WriterTo or ReaderFrom.`
      : `Keep the objects in a sync.Pool and Reset them in ${found.where}: gzip.Writer, gzip.Reader (as flate.Resetter), bufio.Reader and bufio.Writer all have Reset. Put them back after Close, also when an error occurred.`,
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
