import { goroutineRule } from "#rules/goroutine-rule.ts";
import { functions } from "#rules/match.ts";

const locking = functions("{sync,internal/sync}.(*Mutex).Lock", "sync.(*RWMutex).{Lock,RLock}");

export const stuckLock = goroutineRule({
  id: "stuck-lock",
  name: "Goroutines that wait for a lock",
  looksAt: "Goroutines that wait for a mutex in application code, their number and growth.",
  select: ({ main }) => main.calls(locking),
  // Locks are held for microseconds: more than a few waiters in one picture mean a long hold, or a lock that nobody releases.
  from: { low: 8, medium: 30, high: 200 },
  confidence: 0.85,
  issue: ({ where, count }) => `${count} goroutines wait for a lock in ${where}: find its holder`,
  impact:
    "So many waiters mean that the lock is held during something slow, or never released. If it is never released, every request that needs it hangs until the process is restarted.",
  solution: ({ where }) =>
    `Look for a path on which ${where} or its neighbors return or panic without unlocking, for two locks taken in different order, and for I/O under the lock. Unlock with defer right after locking, and keep the locked part in a small function.`,
  example: `import (
	"errors"
	"sync"
)

var errOverdrawn = errors.New("overdrawn")

type account struct {
	mu    sync.Mutex
	cents int
}

// withdraw unlocks on every way out, also on those with an error.
func (a *account) withdraw(cents int) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.cents < cents {
		return errOverdrawn
	}
	a.cents -= cents
	return nil
}
`,
});
