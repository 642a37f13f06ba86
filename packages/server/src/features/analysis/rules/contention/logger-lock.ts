import { logging } from "#rules/libraries.ts";
import { functions } from "#rules/match.ts";
import type { Observation, Rule } from "#rules/rule.ts";
import type { Subject } from "#rules/subject.ts";
import { costOf, shortName } from "#rules/text.ts";
import { delaysOf, waitingPriority } from "#rules/waiting.ts";
import { mutexes } from "./locks.ts";

const fileLocks = functions("internal/poll.(*fdMutex).*");

export const loggerLock: Rule = {
  id: "logger-lock",
  name: "Goroutines that wait for the logger",
  types: ["mutex", "block"],
  category: "mutex_optimization",
  looksAt:
    "Waiting time at the locks of log, log/slog, zap, zerolog, logrus and klog, by the function that logs.",
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
  find(subject: Subject): Observation | undefined {
    const isLocking = (name: string) => mutexes(name) || fileLocks(name);
    const selection = delaysOf(subject).throughOutermost(logging).and(isLocking);
    const [caller] = selection.callers;
    const priority = waitingPriority(subject, selection, { low: 10, medium: 50, high: 250 });
    if (caller === undefined || priority === undefined) return undefined;
    const where = shortName(caller.name);
    return {
      selection,
      priority,
      confidence: 0.95,
      saves: 0.9,
      issue: `Goroutines that log in ${where} wait for each other: a logger writes its lines one at a time, and holds its lock during the write.`,
      impact: `That is ${costOf(subject, selection)}. A slow disk or pipe stops every request that logs.`,
      solution: `Log less in ${where} (once per request, a lower level for details, sampled repeats), and write to a buffer that another goroutine flushes instead of directly to a file or pipe. Never sync the file per line.`,
    };
  },
};
