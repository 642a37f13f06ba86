import { goroutineRule } from "#rules/goroutine-rule.ts";
import { functions } from "#rules/match.ts";

const reading = functions("net/http.(*persistConn).readLoop");
const waiting = functions("runtime.selectgo");

/** In readLoop itself, select waits until the response's body is read or closed; an idle connection waits for the network. */
export const unclosedResponseBody = goroutineRule({
  id: "unclosed-response-body",
  name: "Response bodies that are not closed",
  looksAt:
    "Connections of net/http clients whose goroutine waits until a body is read or closed, their number and growth.",
  select: ({ main }) => {
    const flags = main.index.flagsOf(waiting);
    const loops = main.index.flagsOf(reading);
    return main.select(reading, (from, to) => {
      for (let at = from + 1; at < to; at++)
        if (loops[main.functionAt(at)] === 1) return flags[main.functionAt(at - 1)] === 1 ? at : -1;
      return -1;
    });
  },
  from: { low: 20, medium: 60, high: 300 },
  mayLackCaller: true,
  confidence: 0.9,
  issue: ({ count }) => `${count} connections wait for an unread response body: close every body`,
  impact:
    "The program does not read or close the body (net/http.(*persistConn).readLoop). Each keeps two goroutines, a socket and its buffers, and the next request opens a new connection.",
  solution: () =>
    "Close every response body with defer response.Body.Close() right after the error check, also where only the status matters, and read it to its end so that the connection can be used again. go vet and the linter bodyclose find most places.",
  example: `import (
	"fmt"
	"io"
	"net/http"
)

// isUp needs only the status, and closes the body all the same.
func isUp(client *http.Client, url string) (bool, error) {
	response, err := client.Get(url)
	if err != nil {
		return false, fmt.Errorf("check %s: %w", url, err)
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, io.LimitReader(response.Body, 64<<10)); err != nil {
		return false, err
	}
	return response.StatusCode == http.StatusOK, nil
}
`,
});
