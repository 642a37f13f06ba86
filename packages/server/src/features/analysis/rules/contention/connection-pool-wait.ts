import { functions } from "#rules/match.ts";
import type { Selection } from "#rules/selection.ts";
import type { Subject } from "#rules/subject.ts";
import { delaysOf, servingRequests, waitingRule } from "#rules/waiting.ts";

const waiting = functions(
  "runtime.{selectgo,chanrecv*,chansend*}",
  "sync.(*Cond).Wait",
  "golang.org/x/sync/semaphore.*",
);
const pools = functions(
  "database/sql.(*DB).conn",
  "net/http.(*Transport).{getConn,queueForDial}",
  "github.com/jackc/puddle*",
  "github.com/jackc/pgx/v5/pgxpool.(*Pool).Acquire*",
  "github.com/redis/go-redis/v9/internal/pool.(*ConnPool).*",
  "github.com/gomodule/redigo/redis.(*Pool).*",
  "github.com/valyala/fasthttp.(*HostClient).acquireConn*",
  "go.mongodb.org/mongo-driver/x/mongo/driver/topology.(*pool).*",
  "go.mongodb.org/mongo-driver/v2/x/mongo/driver/topology.(*pool).*",
);

/** Names of the application's own pools and limits, as type or as function. */
const poolName =
  /(?:^|[.(*)])[a-zA-Z0-9]{0,100}(?:[pP]ool|[aA]cquire|[cC]heck[oO]ut|[bB]orrow|[sS]emaphore|[lL]imiter|[cC]onns|[cC]onnections)[a-zA-Z0-9]{0,100}(?:$|[.)])/;
const isPool = (name: string) => poolName.test(name.slice(name.lastIndexOf("/") + 1));

/** Waits of requests in pools of libraries, or in pools of the application, whichever are longer. */
function waitsForPool(subject: Subject): Selection {
  const delays = delaysOf(subject);
  const library = delays.throughOutermost(pools).and(waiting);
  const own = delays.directCalls(waiting).and(servingRequests).ofCallers(isPool);
  return own.weight > library.weight ? own : library;
}

export const connectionPoolWait = waitingRule({
  id: "connection-pool-wait",
  name: "Waiting for a connection of the pool",
  types: ["block"],
  category: "other",
  looksAt:
    "Waiting time in database/sql, net/http and other pools, the application's own included, until a connection is free.",
  select: waitsForPool,
  from: { low: 20, medium: 100, high: 1000 },
  confidence: 0.9,
  saves: 0.9,
  issue: ({ where, share }) => `${where} spends ${share} waiting for pool connections: raise the limit`,
  impact: ({ cost }) => `That is ${cost}, before a query or request even starts: all connections are in use.`,
  solution: ({ where }) =>
    `Raise the pool's limit (SetMaxOpenConns and SetMaxIdleConns, MaxConnsPerHost, pool_max_conns) to what the other side allows, and hold connections in ${where} for less: close rows and bodies at once, keep transactions short, and do no other I/O while one is open. db.Stats().WaitDuration shows the effect.`,
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
});
