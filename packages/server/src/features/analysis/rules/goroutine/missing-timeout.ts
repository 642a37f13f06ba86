import { goroutineRule } from "#rules/goroutine-rule.ts";
import { databaseLibraries, serviceLibraries } from "#rules/libraries.ts";
import { functions } from "#rules/match.ts";

const asking = functions(
  "net/http.{Get,Post*,Head}",
  "net/{http,rpc}.(*Client).*",
  "net/http.(*Transport).RoundTrip",
  "net.{Dial,Lookup}*",
  "net.(*{Dialer,conn,Resolver}).*",
  "net/{smtp,textproto}.*",
  "crypto/tls.(*Conn).*",
  "os/exec.(*Cmd).*",
  "os.(*Process).Wait",
  "database/sql.(*DB).*",
  ...databaseLibraries,
  ...serviceLibraries,
);
/** A server waits for its clients between requests, and a pool for a free connection. */
const others = functions(
  "net/http.(*connReader).*",
  "net/http.(*Transport).getConn",
  "database/sql.(*DB).conn",
);

export const missingTimeout = goroutineRule({
  id: "missing-timeout",
  name: "Calls without a timeout",
  looksAt:
    "Goroutines that wait for an answer from another service below application code, their number and growth.",
  yieldsTo: ["unbounded-fan-out"],
  select: ({ main }) => main.calls(asking).without(others),
  // With a timeout of a second and fifty requests per second, fifty wait at most, and only while the other side hangs.
  from: { low: 25, medium: 60, high: 500 },
  confidence: 0.8,
  issue: ({ where, count }) => `${count} goroutines in ${where} wait for another service: set a timeout`,
  impact: "Without a timeout, a hanging service makes requests pile up until memory or connections run out.",
  solution: ({ where }) =>
    `Pass the request's context on in ${where} (http.NewRequestWithContext, QueryContext) with a deadline from context.WithTimeout, and set http.Client.Timeout: http.Get and http.DefaultClient have none. A limit of calls in progress keeps a slow service from taking all goroutines.`,
  example: `import (
	"context"
	"io"
	"net/http"
	"time"
)

var client = &http.Client{Timeout: 5 * time.Second}

func fetch(ctx context.Context, url string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	return io.ReadAll(io.LimitReader(response.Body, 10<<20))
}
`,
});
