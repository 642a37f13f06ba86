import { ChevronLeft, ChevronRight } from "lucide-react";
import { exactCount } from "#format/number.ts";
import { type PageSize, pageSizes } from "#preferences/page-size.ts";
import { Button } from "#ui/controls/button.tsx";
import { Select } from "#ui/controls/select.tsx";

const sizeOptions = pageSizes.map((size) => ({ value: String(size), label: `${size} rows` }));

interface PagerProps {
  /** From 1. */
  readonly page: number;
  readonly size: PageSize;
  readonly shown: number;
  /** Size of the whole list, which a search knows only on its last page. */
  readonly total: number | undefined;
  readonly hasNext: boolean;
  /** The button leads to the first page, because the cursor of the previous one is unknown. */
  readonly isBackToFirst: boolean;
  readonly onSize: (size: PageSize) => void;
  readonly onPrevious: () => void;
  readonly onNext: () => void;
}

export function Pager(props: PagerProps) {
  const { page, size, shown, total, hasNext, isBackToFirst, onSize, onPrevious, onNext } = props;
  const first = (page - 1) * size + 1;
  const last = first + shown - 1;
  const back = isBackToFirst ? "First" : "Previous";

  function choose(value: string) {
    const chosen = pageSizes.find((each) => String(each) === value);
    if (chosen !== undefined) onSize(chosen);
  }

  return (
    <footer className="flex flex-wrap items-center gap-3 border-line border-t px-3 py-2.5 text-label text-muted">
      <Select label="Rows per page" value={String(size)} options={sizeOptions} onChange={choose} size="sm" />
      <span className="flex-1 whitespace-nowrap">
        {exactCount(first)}–{exactCount(last)} of {totalText(total ?? last, total === undefined && hasNext)}
      </span>
      <span className="flex gap-1">
        <Button size="sm" disabled={page === 1} onClick={onPrevious} aria-label={`${back} page`}>
          <ChevronLeft aria-hidden className="size-3.5" /> <span className="max-sm:hidden">{back}</span>
        </Button>
        <Button size="sm" disabled={!hasNext} onClick={onNext} aria-label="Next page">
          <span className="max-sm:hidden">Next</span> <ChevronRight aria-hidden className="size-3.5" />
        </Button>
      </span>
    </footer>
  );
}

function totalText(atLeast: number, isMore: boolean): string {
  return isMore ? `more than ${exactCount(atLeast)}` : exactCount(atLeast);
}
