import { priorityOf } from "#rules/call-rule.ts";
import { functions } from "#rules/match.ts";
import type { Observation, Rule } from "#rules/rule.ts";
import type { Subject } from "#rules/subject.ts";
import { costOf, shortName } from "#rules/text.ts";

const shaking = functions(
  "crypto/tls.{X509KeyPair,LoadX509KeyPair}",
  "crypto/tls.(*Conn).{handshakeContext,HandshakeContext,clientHandshake,serverHandshake}",
  "crypto/x509.SystemCertPool",
  "crypto/x509.(*Certificate).Verify",
  "crypto/x509.(*CertPool).AppendCertsFromPEM",
);
const serving = functions("crypto/tls.(*Conn).serverHandshake", "crypto/tls.(*serverHandshakeState*");
/** Handshakes run in goroutines of the transport. These are the functions by which the application causes them. */
const requesting = functions(
  "net/http.{Get,Post*}",
  "net/http.(*{Client,Transport}).*",
  "crypto/tls.{Dial*,Client}",
  "crypto/tls.(*Dialer).*",
);

export const tlsHandshakes: Rule = {
  id: "tls-handshakes",
  name: "TLS handshakes per request",
  types: ["cpu"],
  category: "cpu_optimization",
  looksAt:
    "CPU in TLS handshakes and certificate checks; the functions that send requests are named as the cause.",
  example: `import (
	"io"
	"net/http"
	"time"
)

// client is shared: its transport keeps connections, so that only the first
// request to a host needs a handshake.
var client = &http.Client{
	Timeout: 10 * time.Second,
	Transport: &http.Transport{
		MaxIdleConnsPerHost: 64,
		IdleConnTimeout:     90 * time.Second,
		ForceAttemptHTTP2:   true,
	},
}

func fetch(url string) ([]byte, error) {
	response, err := client.Get(url)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	// A connection is used again only if its body was read to the end.
	return io.ReadAll(response.Body)
}
`,
  find(subject: Subject): Observation | undefined {
    const selection = subject.main.through(shaking);
    // Connections last for minutes where they are reused: handshakes are then far below a percent.
    const priority = priorityOf(selection, { low: 0.02, medium: 0.06, high: 0.15 });
    if (priority === undefined) return undefined;
    const isServer = selection.and(serving).weight > selection.weight / 2;
    const attributed = selection.callers.reduce((sum, { weight }) => sum + weight, 0);
    const direct = attributed > selection.weight / 3 ? selection : undefined;
    const sending = subject.main.calls(requesting);
    const cause = direct ?? (sending.callers.length > 0 ? sending : selection);
    const name = cause.callers[0]?.name;
    const where = name === undefined ? "This program" : shortName(name);
    return {
      selection,
      cause,
      priority,
      confidence: cause === selection && direct === undefined ? 0.7 : 0.85,
      saves: 0.9,
      issue: isServer
        ? "Clients of this program open a new TLS connection for most requests, and each handshake signs with the private key."
        : `${where} opens new TLS connections instead of using existing ones: each handshake verifies certificates and agrees on keys.`,
      impact: `Handshakes account for about ${costOf(subject, selection)}, and each adds one or two round trips to its request.`,
      solution: isServer
        ? "Keep connections open: do not disable keep-alives, raise IdleTimeout above the clients' pause between requests, allow HTTP/2 and session tickets, and prefer an ECDSA key to RSA. Check that load balancers and clients reuse their connections."
        : `Share one http.Client and its Transport in the whole program instead of making them in ${where}, raise MaxIdleConnsPerHost from its default of 2, read bodies to the end and close them, and keep DisableKeepAlives off. Parse certificates and pools once.`,
    };
  },
};
