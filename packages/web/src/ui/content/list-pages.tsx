import { Button } from "#ui/controls/button.tsx";

interface ListPagesProps {
  /** How many of how many items the page has. */
  readonly detail: string;
  /** Absent on the first page. */
  readonly onFirst: (() => void) | undefined;
  /** Absent on the last page. */
  readonly onNext: (() => void) | undefined;
}

/** Below a list that comes in pages; nothing if it has one page. */
export function ListPages({ detail, onFirst, onNext }: ListPagesProps) {
  if (onFirst === undefined && onNext === undefined) return null;
  return (
    <div className="mt-3 flex items-center justify-between gap-4">
      <p className="text-label text-muted">{detail}</p>
      <div className="flex gap-2">
        {onFirst && (
          <Button size="sm" onClick={onFirst}>
            First page
          </Button>
        )}
        {onNext && (
          <Button size="sm" onClick={onNext}>
            Next page
          </Button>
        )}
      </div>
    </div>
  );
}
