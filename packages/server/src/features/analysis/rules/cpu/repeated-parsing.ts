import { callRule } from "#rules/call-rule.ts";
import { functions } from "#rules/match.ts";

/** Functions whose text is mostly the same from call to call: settings, networks, patterns, addresses, certificates. */
const parsing = functions(
  "net.{ParseCIDR,ParseIP,ParseMAC}",
  "net/netip.{Parse,MustParse}*",
  "net/url.Parse*",
  "net/url.(*URL).{Parse*,Query}",
  "net/mail.*",
  "mime.{ParseMediaType,TypeByExtension}",
  "path.Match",
  "path/filepath.Match",
  "strings.NewReplacer",
  "strings.(*Replacer).*",
  "time.{ParseDuration,LoadLocation*}",
  "math/big.ParseFloat",
  "math/big.(*{Int,Float,Rat}).SetString",
  "encoding/pem.Decode",
  "encoding/csv.(*Reader).*",
  "crypto/x509.Parse*",
  "go/{parser,scanner}.*",
  "text/scanner.*",
  "golang.org/x/net/html.*",
  "golang.org/x/text/language.{Parse*,MatchStrings}",
  "golang.org/x/mod/semver.*",
  "github.com/Masterminds/semver*",
  "github.com/google/uuid.Parse*",
  "github.com/robfig/cron*",
  "github.com/golang-jwt/jwt*",
  "google.golang.org/protobuf/reflect/protodesc.*",
);

export const repeatedParsing = callRule({
  id: "repeated-parsing",
  name: "The same text parsed again and again",
  looksAt:
    "CPU in parsing addresses, networks, URLs, durations, CSV, certificates and patterns where application code does it, and in making replacers.",
  yieldsTo: ["regexp-compile", "template-parse", "time-now"],
  select: ({ main }) => main.directCalls(parsing),
  // Requests bring texts that must be parsed, and a profile does not show whether a text is the same: never high.
  from: { low: 0.04, medium: 0.1 },
  confidence: 0.7,
  saves: 0.8,
  issue: ({ where, share }) => `${where} spends ${share} parsing texts: parse each once and keep the result`,
  impact:
    "Texts from settings, constants or a list are the same each time, and parsing allocates. A parsed value costs nothing to use again.",
  solution: ({ where }) =>
    `Parse in ${where} what does not change once: networks as netip.Prefix, durations, replacers and certificates in package variables or in the struct that holds the settings. Keep url.Values and media types of a request instead of asking for them again, compare numbers and structs instead of their texts, and keep what repeats in a bounded cache by its text.`,
  example: `import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Parsed once, when the program starts.
var (
	internal = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("192.168.0.0/16")}
	quoting  = strings.NewReplacer("&", "&amp;", "<", "&lt;")
)

func isInternal(address netip.Addr) bool {
	return slices.ContainsFunc(internal, func(network netip.Prefix) bool { return network.Contains(address) })
}

// search parses the query string once; r.URL.Query parses it at each call.
func search(r *http.Request) (text, page string) {
	query := r.URL.Query()
	return quoting.Replace(query.Get("q")), query.Get("page")
}
`,
});
