import { shareRule } from "#rules/call-rule.ts";
import { functions } from "#rules/match.ts";
import type { Selection } from "#rules/selection.ts";
import type { Subject } from "#rules/subject.ts";

const dialing = functions(
  "net/http.(*Transport).{dialConn,dialConnFor,startDialConnForLocked,dial}",
  "net.(*Dialer).DialContext",
  "net.(*sysDialer).*",
);
const requesting = functions("net/http.{Get,Head,Post*}", "net/http.(*{Client,Transport}).*");
/** Part of the work for requests from which on connections are not reused. */
const dialPart = 0.15;

/** Connections that the client opens, if they are a good part of its work. */
export function openedConnections({ main }: Subject): Selection | undefined {
  const dials = main.through(dialing);
  const requests = main.calls(requesting).weight + dials.weight;
  return dials.weight > 0 && dials.weight >= requests * dialPart ? dials : undefined;
}

export const connectionPerRequest = shareRule({
  id: "connection-per-request",
  name: "A connection for each request",
  looksAt:
    "CPU in dialing for HTTP requests, if it is a good part of the requests; their senders are named as the cause.",
  yieldsTo: ["tls-handshakes"],
  select: openedConnections,
  cause: (selection, { main }) => {
    const sending = main.calls(requesting);
    return sending.callers.length > 0 ? sending : selection;
  },
  from: { low: 0.03, medium: 0.1, high: 0.3 },
  confidence: 0.85,
  saves: 0.9,
  issue: ({ where, share }) => `${where} spends ${share} opening connections: share one http.Client`,
  impact: ({ cost }) =>
    `Opening connections takes about ${cost}, and a round trip for each request. A Client with a separate Transport, or a body that is not read to its end, keeps no connection for the next request.`,
  solution: ({ where }) =>
    `Make one http.Client for the process and use it in ${where}; read each body to its end and close it, and set MaxIdleConnsPerHost to the number of concurrent requests.`,
  example: `import (
	"io"
	"net/http"
	"time"
)

var client = &http.Client{Timeout: 2 * time.Second}

func get(address string) ([]byte, error) {
	response, err := client.Get(address)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	return io.ReadAll(response.Body)
}
`,
});
