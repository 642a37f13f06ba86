import { cx } from "#ui/cx.ts";

interface SegmentedControlProps<V extends string> {
  readonly label: string;
  readonly value: V;
  readonly options: Readonly<Record<V, string>>;
  readonly onChange: (value: V) => void;
  readonly className?: string;
}

/** A choice of few short options, all of them visible. */
export function SegmentedControl<V extends string>({
  label,
  value,
  options,
  onChange,
  className,
}: SegmentedControlProps<V>) {
  return (
    <fieldset
      className={cx("flex h-8 rounded-control border border-line-strong bg-surface p-0.5", className)}
    >
      <legend className="sr-only">{label}</legend>
      {(Object.entries(options) as [V, string][]).map(([each, text]) => (
        <button
          key={each}
          type="button"
          aria-pressed={each === value}
          onClick={() => onChange(each)}
          className={cx(
            "rounded-badge px-2.5 text-label",
            each === value ? "bg-surface-2 font-medium text-text" : "text-muted hover:text-text",
          )}
        >
          {text}
        </button>
      ))}
    </fieldset>
  );
}
