import { ChevronRight } from "lucide-react";
import { cx } from "#ui/cx.ts";

interface ExpandButtonProps {
  /** The hidden content, as in `the stack`. */
  readonly content: string;
  /** Id of its element. */
  readonly contentId: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly className?: string;
}

/** Shows and hides the content of an entry of a list. */
export function ExpandButton({ content, contentId, isOpen, onToggle, className }: ExpandButtonProps) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-controls={contentId}
      aria-label={`${isOpen ? "Hide" : "Show"} ${content}`}
      onClick={onToggle}
      className={cx(
        "grid size-6 shrink-0 place-items-center rounded-badge text-muted hover:bg-surface-2 hover:text-text",
        className,
      )}
    >
      <ChevronRight aria-hidden className={cx("size-4", isOpen && "rotate-90")} strokeWidth={1.75} />
    </button>
  );
}
