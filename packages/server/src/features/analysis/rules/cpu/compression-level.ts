import type { Found } from "#rules/call-rule.ts";
import { callRule } from "#rules/call-rule.ts";
import { functions } from "#rules/match.ts";

const compressing = functions(
  "compress/flate.*",
  "compress/{gzip,zlib,lzw}.(*Writer)*",
  "github.com/klauspost/compress/*",
  "github.com/andybalholm/brotli.*",
  "github.com/pierrec/lz4*",
  "github.com/ulikunitz/xz*",
  "github.com/DataDog/zstd.*",
);
const decompressing = functions(
  "compress/flate.{(*decompressor),(*dictDecoder),(*huffmanDecoder),NewReader}*",
  "compress/gzip.(*Reader)*",
  "compress/zlib.(*reader)*",
);
const searching = functions("compress/flate.(*compressor).findMatch");
const creating = functions("compress/flate.NewWriter*", "compress/flate.(*compressor).init");

/** Level 6 spends about 60 % of its time in looking for matches, level 9 about 85 %. */
const searchPartOfHighLevels = 0.75;

function isHighLevel({ selection }: Found): boolean {
  return selection.and(searching).weight >= selection.weight * searchPartOfHighLevels;
}

export const compressionLevel = callRule({
  id: "compression-level",
  name: "Costly compression",
  looksAt: "CPU in compressing below application code; the part that searches for matches shows the level.",
  select: ({ main }) => main.calls(compressing).without(decompressing),
  from: (found) =>
    isHighLevel(found) ? { low: 0.04, medium: 0.08, high: 0.15 } : { low: 0.06, medium: 0.12 },
  confidence: (found) => (isHighLevel(found) ? 0.9 : 0.75),
  saves: 0.6,
  issue: (found) =>
    `${found.where} spends ${found.share} compressing${isHighLevel(found) ? " at a high level: use gzip.BestSpeed" : ": compress once and keep the result"}`,
  impact: (found) =>
    `gzip at level 1 takes a third to a fifth of the time of level 6 or 9, for an output that is 10 to 20% larger.${
      found.selection.and(creating).weight > found.selection.weight / 10
        ? " Creating a writer each time also allocates and clears hundreds of kilobytes."
        : ""
    }`,
  solution: ({ where }) =>
    `Use gzip.BestSpeed in ${where} for what is compressed per request, and keep gzip.Writers in a sync.Pool with Reset. Compress what does not change once and keep the result; leave out bodies below about 1 KiB and formats that are compressed already.`,
  example: `import (
	"compress/gzip"
	"io"
	"sync"
)

var writers = sync.Pool{New: func() any {
	writer, _ := gzip.NewWriterLevel(io.Discard, gzip.BestSpeed)
	return writer
}}

func compress(to io.Writer, body []byte) error {
	writer := writers.Get().(*gzip.Writer)
	defer writers.Put(writer)
	writer.Reset(to)
	if _, err := writer.Write(body); err != nil {
		return err
	}
	return writer.Close()
}
`,
});
