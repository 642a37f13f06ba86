import { logging } from "#rules/libraries.ts";
import { anyOf, functions } from "#rules/match.ts";
import { delaysOf, waitingRule } from "#rules/waiting.ts";
import { mutexes } from "./locks.ts";

const fileLocks = functions("internal/poll.(*fdMutex).*");

export const loggerLock = waitingRule({
  id: "logger-lock",
  name: "Goroutines that wait for the logger",
  looksAt:
    "Waiting time at the locks of log, log/slog, zap, zerolog, logrus and klog, by the function that logs.",
  select: (subject) => delaysOf(subject).throughOutermost(logging).and(anyOf(mutexes, fileLocks)),
  from: { low: 10, medium: 50, high: 250 },
  confidence: 0.95,
  saves: 0.9,
  issue: ({ where, share }) => `Logging in ${where} causes ${share}: log less, or through a buffer`,
  impact: ({ cost }) =>
    `That is ${cost}. A logger writes its lines one at a time, and holds its lock during the write: a slow disk or pipe stops every request that logs.`,
  solution: ({ where }) =>
    `Log less in ${where} (once per request, a lower level for details, sampled repeats), and write to a buffer that another goroutine flushes instead of directly to a file or pipe. Never sync the file per line.`,
  example: `import (
	"bufio"
	"io"
	"log/slog"
	"sync"
	"time"
)

// bufferedLog collects lines and writes them every second, so that a line
// costs a copy and not a system call under the logger's lock.
type bufferedLog struct {
	mu     sync.Mutex
	buffer *bufio.Writer
}

func newBufferedLog(to io.Writer, stop <-chan struct{}) *slog.Logger {
	log := &bufferedLog{buffer: bufio.NewWriterSize(to, 256<<10)}
	go func() {
		ticker := time.NewTicker(time.Second)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				log.flush()
			case <-stop:
				log.flush()
				return
			}
		}
	}()
	return slog.New(slog.NewJSONHandler(log, nil))
}

func (l *bufferedLog) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buffer.Write(line)
}

func (l *bufferedLog) flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.buffer.Flush()
}
`,
});
