import { createApiKey, isServiceName, limits } from "@flamekeep/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { type ReactNode, useState } from "react";
import { call } from "#api/call.ts";
import { serverText } from "#api/reply.ts";
import goPprofPage from "#guide/send-go-pprof.md?raw";
import goSdkPage from "#guide/send-go-sdk.md?raw";
import nodePage from "#guide/send-node.md?raw";
import pythonPage from "#guide/send-python.md?raw";
import rustPage from "#guide/send-rust.md?raw";
import startPage from "#guide/start.md?raw";
import { Card } from "#ui/content/card.tsx";
import { CodeBlock } from "#ui/content/code-block.tsx";
import { Button } from "#ui/controls/button.tsx";
import { CopyButton } from "#ui/controls/copy-button.tsx";
import { Field } from "#ui/controls/field.tsx";
import { Tabs } from "#ui/controls/tabs.tsx";
import { serverAddress } from "#url/base-path.ts";

const keyPlaceholder = "YOUR_API_KEY";
const servicePlaceholder = "your-service";

/** Shown until the first profile arrives. The surrounding list refetches. */
export function FirstProfile() {
  const [key, setKey] = useState<string>();
  const [service, setService] = useState("checkout");
  const [way, setWay] = useState("curl");
  const isNamed = isServiceName(service);
  const all = snippets({
    origin: serverAddress(),
    key: key ?? keyPlaceholder,
    service: isNamed ? service.trim() : servicePlaceholder,
  });
  const chosen = all.find((snippet) => snippet.id === way);

  return (
    <Card className="mx-auto max-w-3xl">
      <header className="border-line border-b px-5 py-4 sm:px-6">
        <p className="text-label text-muted">No Services Found</p>
        <h2 className="mt-0.5 font-semibold text-page tracking-tight">Send your first profile</h2>
        <p className="mt-1 text-muted">It takes about a minute, and this page updates by itself.</p>
      </header>
      <ol className="flex flex-col gap-7 p-5 sm:p-6">
        <Step number={1} title="Make a key">
          <KeyStep createdKey={key} onCreated={setKey} />
        </Step>
        <Step number={2} title="Name the service">
          <div className="max-w-72">
            <Field
              label="Service name"
              name="service"
              value={service}
              maxLength={limits.serviceNameLengthMax}
              hint="Letters, digits and . _ - / : without spaces."
              isInvalid={!isNamed}
              onChange={(event) => setService(event.target.value)}
            />
          </div>
        </Step>
        <Step number={3} title="Send">
          <Tabs label="How to send" value={way} items={tabItems(all)} onChange={setWay}>
            {chosen && (
              <>
                <p className="mb-3 text-muted">{chosen.about}</p>
                <div className="flex flex-col gap-3">
                  {chosen.parts.map(({ place, code }) => (
                    <div key={place}>
                      <p className="mb-1 text-label text-muted">{place}</p>
                      <CodeBlock code={code} label={`Copy: ${place}`} />
                    </div>
                  ))}
                </div>
              </>
            )}
          </Tabs>
        </Step>
      </ol>
      <div role="status" className="flex items-baseline gap-3 border-line border-t px-5 py-4 sm:px-6">
        <span aria-hidden className="size-2 shrink-0 animate-pulse rounded-full bg-accent" />
        <p>
          <span className="mr-2 font-medium">Waiting for the first profile</span>
          <span className="text-muted">this page checks every second</span>
        </p>
      </div>
    </Card>
  );
}

function tabItems(all: readonly Snippet[]) {
  return all.map(({ id, label }) => ({ value: id, label }));
}

interface KeyStepProps {
  readonly createdKey: string | undefined;
  readonly onCreated: (key: string) => void;
}

function KeyStep({ createdKey, onCreated }: KeyStepProps) {
  const client = useQueryClient();
  const creation = useMutation({
    mutationFn: () => call(createApiKey, { body: { name: "First key" } }),
    onSuccess: async (reply) => {
      onCreated(reply.api_key.key);
      await client.invalidateQueries({ queryKey: ["api-keys"] });
    },
  });

  if (createdKey !== undefined) {
    return (
      <div>
        <div className="flex items-center gap-1 rounded-control border border-line bg-bg py-1 pr-1 pl-3">
          <code className="min-w-0 flex-1 truncate font-mono text-code">{createdKey}</code>
          <CopyButton text={createdKey} label="Copy the key" />
        </div>
        <p className="mt-2 text-label text-muted">
          Shown only once; it is filled in below. Create more keys in Settings.
        </p>
      </div>
    );
  }
  return (
    <div>
      <Button variant="primary" disabled={creation.isPending} onClick={() => creation.mutate()}>
        <KeyRound aria-hidden className="size-4" strokeWidth={1.75} />
        {creation.isPending ? "Creating..." : "Create API Key"}
      </Button>
      {creation.isError && (
        <p role="alert" className="mt-2 text-critical-text">
          {serverText(creation.error, "Failed to create API key")}
        </p>
      )}
    </div>
  );
}

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly children: ReactNode;
}

function Step({ number, title, children }: StepProps) {
  return (
    <li className="grid grid-cols-[1.75rem_minmax(0,1fr)] gap-x-3">
      <span className="grid size-6 place-items-center rounded-full bg-surface-2 font-semibold text-label">
        {number}
      </span>
      <div className="min-w-0">
        <h3 className="mb-2.5 font-semibold leading-6">{title}</h3>
        {children}
      </div>
    </li>
  );
}

interface SnippetInput {
  readonly origin: string;
  readonly key: string;
  readonly service: string;
}

interface CodePart {
  /** Where the code belongs. */
  readonly place: string;
  readonly code: string;
}

interface Snippet {
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
