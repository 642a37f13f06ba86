import { callRule } from "#rules/call-rule.ts";
import { anyOf, functions } from "#rules/match.ts";

const files = functions(
  "os.*",
  "os/{exec,user}.*",
  "io/{fs,ioutil}.*",
  "path/filepath.{Walk*,Glob,EvalSymlinks}",
  "net.{Lookup,Interface,Dial}*",
  "net.(*{Resolver,Dialer}).*",
  "syscall.*",
  "golang.org/x/sys/unix.*",
);
/** Reads of a few bytes go to the operating system one by one if nothing collects them. */
const pieces = functions(
  "io.{ReadFull,ReadAtLeast}",
  "encoding/binary.Read",
  "net.(*conn).Read",
  "net.(*UDPConn).Read*",
  "fmt.Fscan*",
);
const system = functions(
  "syscall.*",
  "internal/syscall*",
  "internal/poll.*",
  "internal/runtime/syscall*",
  "runtime/internal/syscall*",
  "runtime.{entersyscall,exitsyscall}*",
);
const buffered = functions("bufio.*", "io.{Copy*,copyBuffer,ReadAll}");

export const systemCalls = callRule({
  id: "system-calls",
  name: "Files and small reads while serving",
  looksAt:
    "CPU in system calls where application code opens, reads, lists or examines files, asks for the environment, starts processes, or reads without a buffer.",
  yieldsTo: ["small-writes", "logging-cost"],
  select: ({ main }) => main.directCalls(anyOf(files, pieces)).and(system).without(buffered),
  // Files may be what the service is about: never high.
  from: { low: 0.04, medium: 0.1 },
  confidence: 0.8,
  saves: 0.8,
  issue: ({ where, share }) => `${where} spends ${share} in system calls: cache files, buffer reads`,
  impact:
    "Opening, reading and examining files, asking for the environment, and unbuffered small reads are system calls of a microsecond or more each. Data kept in memory, or read in pieces of 64 KiB, needs few or none.",
  solution: ({ where }) =>
    `Read files that do not change from request to request (configuration, templates, lists) once in ${where}, and again after a timer or a watch. Wrap a file or connection that is read piece by piece in a bufio.Reader, do not call os.Stat before a file is opened, whose error says the same, and keep files open that are used again (ReadAt is safe for concurrent use).`,
  example: `import (
	"os"
	"sync"
	"time"
)

// settings reads its file at most once per second, whatever the number of requests.
type settings struct {
	path string

	mu   sync.Mutex
	text []byte
	read time.Time
}

func (s *settings) current(now time.Time) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now.Sub(s.read) < time.Second {
		return s.text, nil
	}
	text, err := os.ReadFile(s.path)
	if err != nil {
		return nil, err
	}
	s.text, s.read = text, now
	return text, nil
}
`,
});
