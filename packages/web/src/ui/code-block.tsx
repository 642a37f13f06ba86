import { CopyButton } from "./copy-button.tsx";

interface CodeBlockProps {
  readonly code: string;
  readonly label: string;
}

export function CodeBlock({ code, label }: CodeBlockProps) {
  return (
    <div className="relative overflow-hidden rounded-control border border-line bg-bg">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keyboard too */}
      <pre tabIndex={0} className="overflow-x-auto p-3.5 pr-12 font-mono text-code">
        <code>{code}</code>
      </pre>
      <div className="absolute top-1.5 right-1.5 rounded-control bg-bg">
        <CopyButton text={code} label={label} />
      </div>
    </div>
  );
}
