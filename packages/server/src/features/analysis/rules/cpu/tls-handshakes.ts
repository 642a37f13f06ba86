import { type Found, shareRule } from "#rules/call-rule.ts";
import { functions } from "#rules/match.ts";
import type { Selection } from "#rules/selection.ts";

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

const isServer = ({ selection }: Found) => selection.and(serving).weight > selection.weight / 2;

/** Whether the application itself is above a good part of the handshakes. */
function isDirect({ callers, weight }: Selection): boolean {
  return callers.reduce((sum, caller) => sum + caller.weight, 0) > weight / 3;
}

export const tlsHandshakes = shareRule({
  id: "tls-handshakes",
  name: "TLS handshakes per request",
  looksAt:
    "CPU in TLS handshakes and certificate checks; the functions that send requests are named as the cause.",
  mayLackCaller: true,
  select: ({ main }) => main.through(shaking),
  cause: (selection, { main }) => {
    const sending = main.calls(requesting);
    return isDirect(selection) || sending.callers.length === 0 ? selection : sending;
  },
  // Connections last for minutes where they are reused: handshakes are then far below a percent.
  from: { low: 0.02, medium: 0.06, high: 0.15 },
  confidence: ({ selection, cause }) => (cause === selection && !isDirect(selection) ? 0.7 : 0.85),
  saves: 0.9,
  issue: (found) =>
    isServer(found)
      ? `TLS handshakes of clients take ${found.share}: keep connections open`
      : `${found.where} spends ${found.share} on TLS handshakes: reuse connections`,
  impact: (found) =>
    `Handshakes account for about ${found.cost}, and each adds one or two round trips to its request. ${
      isServer(found)
        ? "Clients open a new connection for most requests, and each handshake signs with the private key."
        : "Each handshake verifies certificates and agrees on keys."
    }`,
  solution: (found) =>
    isServer(found)
      ? "Keep connections open: do not disable keep-alives, raise IdleTimeout above the clients' pause between requests, allow HTTP/2 and session tickets, and prefer an ECDSA key to RSA. Check that load balancers and clients reuse their connections."
      : `Share one http.Client and its Transport in the whole program instead of making them in ${found.where}, raise MaxIdleConnsPerHost from its default of 2, read bodies to the end and close them, and keep DisableKeepAlives off. Parse certificates and pools once.`,
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
});
