import { callRule } from "#rules/call-rule.ts";
import { allocations } from "#rules/heap.ts";
import { functions } from "#rules/match.ts";

export const readingAll = functions(
  "io.ReadAll",
  "io/ioutil.{ReadAll,ReadFile}",
  "os.{ReadFile,readFileContents}",
  "io/fs.ReadFile",
  "encoding/csv.(*Reader).ReadAll",
  "net/http/httputil.Dump*",
  "bytes.(*Buffer).ReadFrom",
);

export const readAll = callRule({
  id: "read-all",
  name: "Whole inputs read into memory",
  types: ["memory"],
  looksAt: "Allocated bytes in io.ReadAll, os.ReadFile and their relatives below application code.",
  select: (subject) => allocations(subject)?.and(readingAll),
  from: { low: 0.05, medium: 0.12, high: 0.4 },
  confidence: 0.9,
  saves: 0.8,
  issue: ({ where, share }) => `${where} causes ${share} by reading whole inputs: read in pieces`,
  impact:
    "The buffer grows step by step and is garbage right after. Reading in pieces needs a few kilobytes for any input, and no client can make the process run out of memory.",
  solution: ({ where }) =>
    `Decode or scan the reader in ${where} directly: json.NewDecoder(body), bufio.Scanner, io.Copy. Put http.MaxBytesReader around request bodies. If the size is known, allocate once and use io.ReadFull.`,
  example: String.raw`import (
	"bufio"
	"io"
	"net/http"
)

// countLines holds one line in memory at a time.
func countLines(w http.ResponseWriter, r *http.Request) (int, error) {
	body := http.MaxBytesReader(w, r.Body, 64<<20)
	return countIn(body)
}

func countIn(reader io.Reader) (int, error) {
	count := 0
	scanner := bufio.NewScanner(reader)
	for scanner.Scan() {
		count++
	}
	return count, scanner.Err()
}
`,
});
