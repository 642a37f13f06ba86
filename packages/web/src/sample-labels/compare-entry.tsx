import { Link } from "@tanstack/react-router";
import { ArrowLeftRight } from "lucide-react";
import { Button, buttonClass } from "#ui/controls/button.tsx";
import { cx } from "#ui/cx.ts";

interface CompareEntryProps {
  readonly text: string;
  /** The entry that was chosen first, which may be this one; undefined until one is. */
  readonly first: { readonly text: string; readonly isThis: boolean } | undefined;
  readonly onFirst: () => void;
  /** Search of the comparison of the first entry with this one. */
  readonly search: Readonly<Record<string, unknown>> | undefined;
}

export const compareEntryClass =
  "size-7 shrink-0 px-0! text-muted aria-pressed:text-accent-text max-md:size-10";

/** One of several values: a click chooses the first of two to compare, then the others lead to the comparison. */
export function CompareEntry({ text, first, onFirst, search }: CompareEntryProps) {
  if (first === undefined || first.isThis || search === undefined) {
    const isChosen = first?.isThis === true;
    const name = isChosen ? `Do not compare ${text}` : `Compare ${text} with another value`;
    return (
      <Button
        size="sm"
        variant="ghost"
        aria-pressed={isChosen}
        aria-label={name}
        title={name}
        onClick={onFirst}
        className={compareEntryClass}
      >
        <ArrowLeftRight aria-hidden className="size-4" strokeWidth={1.75} />
      </Button>
    );
  }
  const name = `Compare ${first.text} with ${text}`;
  return (
    <Link
      to="/compare"
      search={search}
      aria-label={name}
      title={name}
      className={cx(buttonClass("secondary", "sm"), compareEntryClass)}
    >
      <ArrowLeftRight aria-hidden className="size-4" strokeWidth={1.75} />
    </Link>
  );
}
