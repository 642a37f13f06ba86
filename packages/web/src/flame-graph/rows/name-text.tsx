import { cx } from "#ui/cx.ts";

interface NameTextProps {
  readonly name: string;
  readonly fullName: string;
  readonly className?: string;
}

/** The end of a function's name, with the whole name on hover. */
export function NameText({ name, fullName, className }: NameTextProps) {
  return (
    // Right to left keeps the end of a long name; the inner element keeps its letters in order.
    <span
      title={fullName}
      className={cx("block min-w-0 truncate text-left font-mono text-code [direction:rtl]", className)}
    >
      <bdi dir="ltr">{name}</bdi>
    </span>
  );
}
