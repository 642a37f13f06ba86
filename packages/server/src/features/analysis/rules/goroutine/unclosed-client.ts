import { goroutineRule } from "#rules/goroutine-rule.ts";
import { functions } from "#rules/match.ts";
import type { Selection } from "#rules/selection.ts";
import type { StackView } from "#rules/stack-view.ts";

/** Goroutines that clients of libraries keep until they are closed. */
const kept = functions(
  "net/http.(*{persistConn,http2ClientConn}).readLoop",
  "net/http/internal/http2.(*ClientConn).readLoop",
  "golang.org/x/net/http2.(*ClientConn).readLoop",
  "database/sql.(*DB).{connectionOpener,connectionCleaner}",
  "google.golang.org/grpc*",
  "github.com/redis/go-redis*",
  "go.mongodb.org/mongo-driver*",
  "context.AfterFunc*",
  "context.(*cancelCtx).propagateCancel",
  "os/exec.(*Cmd).*",
  "os/signal.NotifyContext",
);

const transports = functions("net/http.(*persistConn).readLoop");
/** Connections in use are no leak: their requests wait for an answer. */
const requesting = functions("net/http.(*persistConn).roundTrip");
/** Connections for each request in progress from which on idle ones count: a pool keeps a few. */
const connectionsPerRequest = 2;

function keptGoroutines(main: StackView): Selection {
  const { index } = main;
  const flags = index.flagsOf(kept);
  return main.select(kept, (from, to, stack) => {
    if (index.innermost[stack]! >= 0) return -1;
    for (let at = to - 1; at >= from; at--) if (flags[main.functionAt(at)] === 1) return at;
    return -1;
  });
}

export const unclosedClient = goroutineRule({
  id: "unclosed-client",
  name: "Clients that are made again and again",
  looksAt:
    "Goroutines that HTTP transports, database handles and other clients keep without application code, if they have at least doubled since an earlier profile.",
  yieldsTo: ["unclosed-response-body"],
  select: ({ main }) => {
    const all = keptGoroutines(main);
    const inUse = main.through(requesting).weight;
    return all.and(transports).weight >= inUse * connectionsPerRequest ? all : all.without(transports);
  },
  from: { low: 30, medium: 80, high: 500 },
  mustGrow: true,
  mayLackCaller: true,
  confidence: 0.8,
  issue: ({ where, count }) => `${count} goroutines of clients accumulate in ${where}: share one client`,
  impact:
    "Clients or connections are created again and again and never closed. Each keeps a socket or a pool with its buffers, until file descriptors or memory run out.",
  solution: () =>
    "Make one http.Client with its Transport, one sql.DB and one connection per service for the whole program and share them: they are safe for concurrent use. A client that must be temporary needs CloseIdleConnections, Close or its cancel function, with defer right after it is made.",
  example: `import (
	"net/http"
	"time"
)

// client is shared by all requests, so that its connections are used again.
var client = &http.Client{
	Timeout: 5 * time.Second,
	Transport: &http.Transport{
		MaxIdleConnsPerHost: 32,
		IdleConnTimeout:     90 * time.Second,
	},
}
`,
});
