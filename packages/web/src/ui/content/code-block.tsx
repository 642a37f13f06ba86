import type { ReactNode } from "react";
import { CopyButton } from "#ui/controls/copy-button.tsx";

interface CodeBlockProps {
  readonly code: string;
  readonly label: string;
}

/** Long lines are wrapped, so that none is cut; what is copied has them as they are. */
export function CodeBlock({ code, label }: CodeBlockProps) {
  const lines = code.split(/(?<=\n)/);
  return (
    <div className="flex items-start overflow-hidden rounded-control border border-line bg-bg">
      <pre className="wrap-anywhere min-w-0 flex-1 whitespace-pre-wrap py-3.5 pl-3.5 font-mono text-code [tab-size:4]">
        <code>
          {lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other name
            <span key={index} className="block" style={hangingIndent(line)}>
              {line}
            </span>
          ))}
        </code>
      </pre>
      <div className="p-1.5">
        <CopyButton text={code} label={label} />
      </div>
    </div>
  );
}

/** A wrapped line goes on further right than it began. */
function hangingIndent(line: string) {
  const tabs = /^\t*/.exec(line)?.[0].length ?? 0;
  const columns = tabs > 0 ? 4 * (tabs + 1) : (/^ */.exec(line)?.[0].length ?? 0) + 2;
  return { paddingLeft: `${columns}ch`, textIndent: `-${columns}ch` };
}

interface SecretLineProps {
  readonly text: string;
  /** Shown in place of the text. */
  readonly masked?: string | undefined;
  readonly testId: string;
  readonly copyLabel: string;
  /** Buttons before the one that copies. */
  readonly children?: ReactNode;
}

/** A key or link that is shown only once, to copy. */
export function SecretLine({ text, masked = text, testId, copyLabel, children }: SecretLineProps) {
  return (
    <div className="flex items-center gap-1 rounded-control border border-line-strong bg-bg py-1.5 pr-1.5 pl-3">
      <code className="min-w-0 flex-1 break-all font-mono text-code" data-testid={testId}>
        {masked}
      </code>
      {children}
      <CopyButton text={text} label={copyLabel} />
    </div>
  );
}
