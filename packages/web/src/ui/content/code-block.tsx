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
