import { callRule } from "#rules/call-rule.ts";
import { openedConnections } from "#rules/cpu/connection-per-request.ts";
import { serviceLibraries } from "#rules/libraries.ts";
import { functions } from "#rules/match.ts";

const requesting = functions(
  "net/{http,rpc}.(*Client).*",
  "net/http.{Get,Head,Post*}",
  // Reading the answer is a part of the request.
  "net/http.(*{bodyEOFSignal,cancelTimerBody,http2transportResponseBody}).*",
  ...serviceLibraries,
);

export const requestPerItem = callRule({
  id: "request-per-item",
  name: "Many requests to another service",
  looksAt: "CPU in HTTP and RPC clients below application code.",
  yieldsTo: ["tls-handshakes", "connection-per-request"],
  select: (subject) =>
    openedConnections(subject) === undefined ? subject.main.calls(requesting) : undefined,
  // A gateway sends one request for each that it gets; a profile does not count them: never high.
  from: { low: 0.05, medium: 0.2 },
  confidence: 0.5,
  saves: 0.6,
  issue: ({ where, share }) => `${where} spends ${share} sending requests: send one for all items`,
  impact:
    "A request per item of a list (N+1) also waits for the network each time, which a CPU profile does not show: one request for all items saves both.",
  solution: ({ where }) =>
    `Ask for all items of a request at once in ${where}, keep answers that change rarely for some seconds, and let concurrent requests for the same thing share one answer (golang.org/x/sync/singleflight).`,
  example: `import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// prices asks for all articles of a cart with one request.
func prices(ctx context.Context, client *http.Client, base string, articles []string) (map[string]int, error) {
	address := base + "/prices?articles=" + url.QueryEscape(strings.Join(articles, ","))
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("prices: %s", response.Status)
	}
	var cents map[string]int
	if err := json.NewDecoder(response.Body).Decode(&cents); err != nil {
		return nil, err
	}
	return cents, nil
}
`,
});
