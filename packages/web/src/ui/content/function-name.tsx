import { shortFunctionName, shownName } from "@flamekeep/flame/without-graph";
import { CopyButton } from "#ui/controls/copy-button.tsx";
import { cx } from "#ui/cx.ts";

interface FunctionNameProps {
  readonly name: string;
  /** Instead of the end of the name, where another function has the same one. */
  readonly label?: string;
  /** The text by which links refer to the function; its name if left out. */
  readonly linkText?: string;
  /** Makes the name a button that finds the function, in the flame graph for example. */
  readonly onFind?: (name: string) => void;
}

const nameClass = "min-w-0 truncate-start font-mono text-code";

/** The end of a function's name, with the full name on hover and an icon that copies it. */
export function FunctionName({
  name,
  label = shortFunctionName(name),
  linkText = name,
  onFind,
}: FunctionNameProps) {
  return (
    <span className="group/name inline-flex min-w-0 max-w-full items-center gap-0.5">
      {onFind === undefined ? (
        <span title={shownName(name)} className={nameClass}>
          <bdi>{label}</bdi>
        </span>
      ) : (
        <button
          type="button"
          onClick={() => onFind(linkText)}
          title={`${shownName(name)}\nClick to find it in the flame graph`}
          className={cx(nameClass, "rounded-badge text-left hover:text-accent-text hover:underline")}
        >
          <bdi>{label}</bdi>
        </button>
      )}
      <CopyIcon name={name} />
    </span>
  );
}

/** Quiet until it is needed. */
function CopyIcon({ name }: { readonly name: string }) {
  return (
    <span className="shrink-0 opacity-45 transition-opacity duration-120 focus-within:opacity-100 group-hover/name:opacity-100">
      <CopyButton text={name} label="Copy the function name" size="tiny" />
    </span>
  );
}
