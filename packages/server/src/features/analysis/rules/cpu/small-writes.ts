import { callRule } from "#rules/call-rule.ts";
import { functions } from "#rules/match.ts";

const writing = functions(
  "os.(*File).{Write*,Sync}",
  "net.(*{conn,TCPConn}).Write",
  "net.(*{UDPConn,UnixConn}).Write*",
  "syscall.{Write,Sendto}",
);
/** A buffer that is flushed for each part is none. */
const flushing = functions(
  "bufio.(*Writer).Flush",
  "net/http.(*response).Flush*",
  "net/http.(*ResponseController).Flush",
  "encoding/csv.(*Writer).Flush",
  "text/tabwriter.(*Writer).Flush",
  "compress/{gzip,flate,zlib}.(*Writer).Flush",
  "mime/multipart.(*Writer).*",
);
const system = functions("syscall.*", "internal/poll.*");
/** Writes that something has collected before. */
const collected = functions(
  "bufio.(*Writer).*",
  "io.{copyBuffer,Copy}",
  "os.WriteFile",
  "net/http.(*persistConn).*",
  "net/http.(*Request).write",
  "compress/flate.*",
  "crypto/tls.*",
);

export const smallWrites = callRule({
  id: "small-writes",
  name: "System calls for small writes",
  looksAt:
    "CPU in writing to files and connections without a buffer, where application code writes or flushes.",
  yieldsTo: ["logging-cost"],
  select: ({ main }) => {
    const unbuffered = main.calls(writing).without(collected);
    const flushed = main.directCalls(flushing).and(system);
    return flushed.weight > unbuffered.weight ? flushed : unbuffered;
  },
  // A system call costs about as much as copying a few kilobytes; whole files written at once do not show.
  from: { low: 0.04, medium: 0.08, high: 0.2 },
  confidence: 0.85,
  saves: 0.85,
  issue: ({ where, share }) => `${where} spends ${share} on unbuffered writes: use a bufio.Writer`,
  impact:
    "Every write is a system call of a microsecond or more, however few bytes it carries. With a buffer of 64 KiB, hundreds of small writes become one.",
  solution: ({ where }) =>
    `Wrap the destination in ${where} in a bufio.Writer with 32 to 64 KiB, write to that, and call Flush once at the end (and check its error). Flush an HTTP response only where the client waits for the part.`,
  example: String.raw`import (
	"bufio"
	"io"
)

func writeRows(to io.Writer, rows []string) error {
	buffered := bufio.NewWriterSize(to, 64<<10)
	for _, row := range rows {
		// Errors stay in the writer, and Flush returns the first.
		buffered.WriteString(row)
		buffered.WriteByte('\n')
	}
	return buffered.Flush()
}
`,
});
