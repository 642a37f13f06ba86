import { functions } from "#rules/match.ts";
import type { Selection } from "#rules/selection.ts";
import type { StackView } from "#rules/stack-view.ts";

/** Functions of locks below which goroutines wait, or make others wait. */
export const mutexes = functions("sync.(*{Mutex,RWMutex,Map}).*", "internal/sync.(*{Mutex,HashTrieMap}).*");

/** Libraries that do I/O have locks themselves: those are not held by the application. */
const libraries = functions(
  "net/http.*",
  "net.*",
  "internal/poll.*",
  "crypto/tls.*",
  "database/sql.*",
  "google.golang.org/grpc*",
  "github.com/jackc/*",
  "github.com/redis/*",
);

export const readWriteLocks = functions("sync.(*RWMutex).*");

/** As `calls(mutexes)`, without the locks inside of libraries that do I/O. */
export function ownLocks(view: StackView): Selection {
  const { index } = view;
  const isLock = index.flagsOf(mutexes);
  const isLibrary = index.flagsOf(libraries);
  return view.select(mutexes, (from, to, stack) => {
    const innermost = index.innermost[stack]!;
    const end = innermost < 0 ? to : innermost;
    let found = -1;
    for (let at = from; at < end; at++) {
      const fn = view.functionAt(at);
      if (isLibrary[fn] === 1) return -1;
      if (found < 0 && isLock[fn] === 1) found = at;
    }
    return found;
  });
}
