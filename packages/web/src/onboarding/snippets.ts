export interface SnippetInput {
  readonly origin: string;
  readonly key: string;
  readonly service: string;
}

export interface Snippet {
  readonly id: "curl" | "go-sdk" | "go-pprof" | "node-sdk";
  readonly label: string;
  /** One sentence about its requirements and effect. */
  readonly about: string;
  readonly code: string;
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function ingestUrl({ origin, service }: SnippetInput, type: string): string {
  return `${origin}/api/v1/ingest/profiles?service=${encodeURIComponent(service)}&type=${type}`;
}

/** Names the process, because counters of different processes must not be mixed. */
const instance = `"&tag.instance=$(hostname):6060"`;

function curl(input: SnippetInput): string {
  return [
    `curl -s 'http://localhost:6060/debug/pprof/profile?seconds=10' |`,
    `  curl --data-binary @- -H ${shellQuoted(`X-API-Key: ${input.key}`)} \\`,
    `    ${shellQuoted(ingestUrl(input, "cpu"))}${instance}`,
  ].join("\n");
}

function goSdk({ origin, key, service }: SnippetInput): string {
  return `import (
	"os"

	"github.com/grafana/pyroscope-go"
)

func main() {
	host, _ := os.Hostname()
	pyroscope.Start(pyroscope.Config{
		ApplicationName: ${JSON.stringify(service)},
		ServerAddress:   ${JSON.stringify(origin)},
		HTTPHeaders:     map[string]string{"X-API-Key": ${JSON.stringify(key)}},
		Tags:            map[string]string{"instance": host},
	})
	// your program
}`;
}

function goPprof(input: SnippetInput): string {
  return `// main.go
import (
	"net/http"
	_ "net/http/pprof"
)

func main() {
	go http.ListenAndServe("localhost:6060", nil)
	// your program
}

# then, in a shell
while true; do
  for type in cpu:'profile?seconds=10' memory:heap goroutine:goroutine; do
    curl -s "http://localhost:6060/debug/pprof/\${type#*:}" |
      curl -s --data-binary @- -H ${shellQuoted(`X-API-Key: ${input.key}`)} \\
        ${shellQuoted(ingestUrl(input, ""))}"\${type%%:*}"${instance}
  done
  sleep 50
done`;
}

function nodeSdk({ origin, key, service }: SnippetInput): string {
  return `// npm install @pyroscope/nodejs
const Pyroscope = require("@pyroscope/nodejs");

Pyroscope.init({
  serverAddress: ${JSON.stringify(origin)},
  authToken: ${JSON.stringify(key)},
  appName: ${JSON.stringify(service)},
  tags: { instance: require("node:os").hostname() },
  wall: { collectCpuTime: true },
});
Pyroscope.start();`;
}

/** Commands and code that send a first profile, with server, key and service filled in. */
export function snippets(input: SnippetInput): Snippet[] {
  return [
    {
      id: "curl",
      label: "curl",
      about: "Ten seconds of CPU from a Go program that already serves /debug/pprof.",
      code: curl(input),
    },
    {
      id: "go-sdk",
      label: "Go SDK",
      about: "The Pyroscope Go SDK, unmodified: CPU, allocations and heap every 15 seconds.",
      code: goSdk(input),
    },
    {
      id: "go-pprof",
      label: "Go net/http/pprof",
      about: "No dependency: serve /debug/pprof and let a loop send CPU, heap and goroutines every minute.",
      code: goPprof(input),
    },
    {
      id: "node-sdk",
      label: "Node SDK",
      about: "The Pyroscope SDK for Node, unmodified: CPU and heap every minute.",
      code: nodeSdk(input),
    },
  ];
}
