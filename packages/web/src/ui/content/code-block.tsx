import type { ReactNode } from "react";
import { CopyButton } from "#ui/controls/copy-button.tsx";

interface CodeBlockProps {
  readonly code: string;
  readonly label: string;
}

export function CodeBlock({ code, label }: CodeBlockProps) {
  return (
    <div className="flex items-start overflow-hidden rounded-control border border-line bg-bg">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keyboard too */}
      <pre tabIndex={0} className="min-w-0 flex-1 overflow-x-auto p-3.5 font-mono text-code">
        <code>{code}</code>
      </pre>
      <div className="p-1.5">
        <CopyButton text={code} label={label} />
      </div>
    </div>
  );
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
