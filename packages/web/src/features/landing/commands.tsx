import { CopyButton } from "#ui/controls/copy-button.tsx";

const commands = ["git clone <this repository> flamekeep && cd flamekeep", "npm start"];

/** The commands that install Flamekeep. The prompt signs are neither copied nor read aloud. */
export function Commands() {
  return (
    <div className="rounded-card border border-line bg-surface">
      <p className="flex items-center justify-between border-line border-b py-1.5 pr-2 pl-4 text-label text-muted">
        Two commands to run it
        <CopyButton text={commands.join("\n")} label="Copy both commands" />
      </p>
      <pre className="whitespace-pre-wrap px-4 py-4 font-mono text-code leading-6 [overflow-wrap:anywhere]">
        {commands.map((command) => (
          <code key={command} className="block">
            <span aria-hidden className="mr-2 select-none text-muted">
              $
            </span>
            {command}
          </code>
        ))}
      </pre>
    </div>
  );
}
