import { ChevronLeft, ChevronRight } from "lucide-react";
import { exactCount } from "#format/number.ts";
import { Button } from "#ui/button.tsx";
import { Select } from "#ui/select.tsx";
import { type PageSize, pageSizes } from "./use-table-search.ts";

const sizeOptions = pageSizes.map((size) => ({ value: String(size), label: `${size} rows` }));

interface PagerProps {
  /** From 0. */
  readonly page: number;
  readonly size: PageSize;
  readonly shown: number;
  /** Of the whole list; unknown for a search. */
  readonly total: number | undefined;
  readonly hasNext: boolean;
  readonly onSize: (size: PageSize) => void;
  readonly onPrevious: () => void;
  readonly onNext: () => void;
}

export function Pager({ page, size, shown, total, hasNext, onSize, onPrevious, onNext }: PagerProps) {
  const first = page * size + 1;

  function choose(value: string) {
    const chosen = pageSizes.find((each) => String(each) === value);
    if (chosen !== undefined) onSize(chosen);
  }

  return (
    <footer className="flex flex-wrap items-center gap-3 border-line border-t px-3 py-2.5 text-label text-muted">
      <Select label="Rows per page" value={String(size)} options={sizeOptions} onChange={choose} size="sm" />
      <span className="flex-1 whitespace-nowrap">
        {exactCount(first)}–{exactCount(first + shown - 1)}
        {total !== undefined && ` of ${exactCount(total)}`}
      </span>
      <span className="flex gap-1">
        <Button size="sm" disabled={page === 0} onClick={onPrevious} aria-label="Previous page">
          <ChevronLeft aria-hidden className="size-3.5" /> <span className="max-sm:hidden">Previous</span>
        </Button>
        <Button size="sm" disabled={!hasNext} onClick={onNext} aria-label="Next page">
          <span className="max-sm:hidden">Next</span> <ChevronRight aria-hidden className="size-3.5" />
        </Button>
      </span>
    </footer>
  );
}
