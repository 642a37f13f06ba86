import goPprofPage from "#guide/send-go-pprof.md?raw";
import goSdkPage from "#guide/send-go-sdk.md?raw";
import nodePage from "#guide/send-node.md?raw";
import pythonPage from "#guide/send-python.md?raw";
import rustPage from "#guide/send-rust.md?raw";
import startPage from "#guide/start.md?raw";

export interface SnippetInput {
  readonly origin: string;
  readonly key: string;
  readonly service: string;
}

interface CodePart {
  /** Where the code belongs. */
  readonly place: string;
  readonly code: string;
}

export interface Snippet {
  readonly id: string;
  readonly label: string;
  /** One sentence about its requirements and effect. */
  readonly about: string;
  readonly parts: readonly CodePart[];
}

/** The first fenced block of a language on a page of the guide. */
function blockOf(page: string, language: "sh" | "go" | "js" | "python" | "rust"): string {
  const code = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)\\n\`\`\`$`, "m").exec(page)?.[1];
  if (code === undefined) throw new Error(`The guide has no block of ${language}`);
  return code;
}

/** The code of the guide, which tests run, with server, key and service filled in. */
function filled(code: string, { origin, key, service }: SnippetInput): string {
  const keyLiteral = JSON.stringify(key);
  return code
    .replaceAll("http://localhost:4040", () => origin)
    .replaceAll("fk_...", () => key)
    .replace(
      /os\.Getenv\("FLAMEKEEP_KEY"\)|os\.environ\["FLAMEKEEP_KEY"\]|process\.env\.FLAMEKEEP_KEY/,
      () => keyLiteral,
    )
    .replace(/std::env::var\("FLAMEKEEP_KEY"\)\?/, () => `${keyLiteral}.to_string()`)
    .replaceAll('"checkout"', () => JSON.stringify(service))
    .replaceAll("service=checkout", () => `service=${encoded(service)}`);
}

/** Safe in a URL between double quotes in a shell. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
}

const shell = "In a shell";

/** Commands and code that send a first profile, with server, key and service filled in. */
export function snippets(input: SnippetInput): Snippet[] {
  const part = (place: string, code: string): CodePart => ({ place, code: filled(code, input) });
  return [
    {
      id: "curl",
      label: "curl",
      about: "Ten seconds of CPU from a Go program that already serves /debug/pprof.",
      parts: [part(shell, blockOf(startPage, "sh"))],
    },
    {
      id: "go-sdk",
      label: "Go SDK",
      about: "The Pyroscope SDK for Go, unmodified: CPU, allocations and heap every 15 seconds.",
      parts: [part(shell, blockOf(goSdkPage, "sh")), part("main.go", blockOf(goSdkPage, "go"))],
    },
    {
      id: "go-pprof",
      label: "Go net/http/pprof",
      about:
        "No dependency: serve /debug/pprof and let a loop send CPU, heap, goroutines and locks every minute.",
      parts: [part("main.go", blockOf(goPprofPage, "go")), part(shell, blockOf(goPprofPage, "sh"))],
    },
    {
      id: "python",
      label: "Python",
      about: "The Pyroscope SDK for Python, unmodified: CPU every ten seconds.",
      parts: [
        part(shell, blockOf(pythonPage, "sh")),
        part("At the start of the program", blockOf(pythonPage, "python")),
      ],
    },
    {
      id: "node",
      label: "Node",
      about: "The Pyroscope SDK for Node, unmodified: CPU and heap every minute.",
      parts: [
        part(shell, blockOf(nodePage, "sh")),
        part("At the start of the program", blockOf(nodePage, "js")),
      ],
    },
    {
      id: "rust",
      label: "Rust",
      about: "The Pyroscope crate for Rust, unmodified: CPU every ten seconds.",
      parts: [part(shell, blockOf(rustPage, "sh")), part("src/main.rs", blockOf(rustPage, "rust"))],
    },
  ];
}
