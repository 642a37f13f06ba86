import { CopyButton } from "#ui/controls/copy-button.tsx";
import { serverAddress } from "#url/base-path.ts";

interface Command {
  readonly title: string;
  readonly note: string;
  readonly code: string;
}

/** Commands that work as they are pasted. */
function commandsFor(origin: string): readonly Command[] {
  return [
    {
      title: "Run your own",
      note: "In the project's folder. Any Node from 18 on: it installs what is missing and serves with demo data.",
      code: "npm start",
    },
    {
      title: "Send a profile to this server",
      note: "Ten seconds of CPU of a Go program that serves /debug/pprof. FLAMEKEEP_KEY is a key from Settings.",
      code: [
        `curl -s "http://localhost:6060/debug/pprof/profile?seconds=10" |`,
        `  curl -H "X-API-Key: $FLAMEKEEP_KEY" --data-binary @- \\`,
        `    "${origin}/api/v1/ingest/profiles?service=checkout&tag.instance=$(hostname)"`,
      ].join("\n"),
    },
  ];
}

export function Commands() {
  return (
    <div className="flex flex-col gap-4">
      {commandsFor(serverAddress()).map(({ title, note, code }) => (
        <div key={title} className="rounded-card border border-line bg-surface">
          <div className="flex items-center justify-between border-line border-b py-1 pr-1.5 pl-4">
            <h3 className="font-medium text-label text-muted">{title}</h3>
            <CopyButton text={code} label={`Copy: ${title}`} />
          </div>
          <pre className="whitespace-pre-wrap px-4 py-3 font-mono text-code leading-5 [overflow-wrap:anywhere]">
            <code>{code}</code>
          </pre>
          <p className="px-4 pb-3 text-label text-muted">{note}</p>
        </div>
      ))}
    </div>
  );
}
