import { functions } from "#rules/match.ts";
import type { Observation, Rule } from "#rules/rule.ts";
import type { Subject } from "#rules/subject.ts";
import { costOf, shortName } from "#rules/text.ts";
import { delaysOf, waitingPriority } from "#rules/waiting.ts";

const waiting = functions(
  "runtime.selectgo",
  "runtime.chanrecv*",
  "sync.(*Cond).Wait",
  "golang.org/x/sync/semaphore.*",
);
const pools = functions(
  "database/sql.(*DB).conn",
  "net/http.(*Transport).getConn",
  "net/http.(*Transport).queueForDial",
  "github.com/jackc/puddle*",
  "github.com/jackc/pgx/v5/pgxpool.(*Pool).Acquire*",
  "github.com/redis/go-redis/v9/internal/pool.(*ConnPool).*",
  "go.mongodb.org/mongo-driver/x/mongo/driver/topology.(*pool).*",
);

export const connectionPoolWait: Rule = {
  id: "connection-pool-wait",
  name: "Waiting for a connection of the pool",
  types: ["block"],
  category: "other",
  looksAt: "Waiting time in database/sql, net/http and other pools until a connection is free.",
  example: `import (
	"database/sql"
	"time"
)

// openPool allows as many connections as the database gives this instance, and
// keeps them instead of opening new ones.
func openPool(driver, dsn string) (*sql.DB, error) {
	db, err := sql.Open(driver, dsn)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(32)
	db.SetMaxIdleConns(32)
	db.SetConnMaxIdleTime(5 * time.Minute)
	return db, nil
}
`,
  find(subject: Subject): Observation | undefined {
    const selection = delaysOf(subject).throughOutermost(pools).and(waiting);
    const [caller] = selection.callers;
    const priority = waitingPriority(subject, selection, { low: 20, medium: 100, high: 1000 });
    if (caller === undefined || priority === undefined) return undefined;
    const where = shortName(caller.name);
    return {
      selection,
      priority,
      confidence: 0.9,
      saves: 0.9,
      issue: `${where} waits until a connection of its pool is free: all of them are in use.`,
      impact: `That is ${costOf(subject, selection)}, before a query or request even starts.`,
      solution: `Raise the pool's limit (SetMaxOpenConns and SetMaxIdleConns, MaxConnsPerHost, pool_max_conns) to what the other side allows, and hold connections in ${where} for less: close rows and bodies at once, keep transactions short, and do no other I/O while one is open. db.Stats().WaitDuration shows the effect.`,
    };
  },
};
