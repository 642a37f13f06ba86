import { formatPercent, type SearchResult } from "@flamekeep/flame";
import { ChevronDown, ChevronUp } from "lucide-react";
import { plural } from "#format/number.ts";
import { cx } from "#ui/cx.ts";

interface SearchStatusProps {
  /** The kind of the query in words; empty without one. */
  readonly kind: string;
  /** Why the typed expression cannot be used. */
  readonly error: string;
  readonly result: SearchResult | null;
  readonly whole: number;
  readonly onStep: (direction: 1 | -1) => void;
}

const step =
  "grid size-7 shrink-0 place-items-center rounded-control text-muted hover:bg-surface-2 hover:text-text";

// Floats, because a toolbar that grows by a row would move the graph while somebody types.
const floatingError =
  "absolute top-full left-0 z-40 mt-1 max-w-full rounded-control border border-line bg-surface px-2 py-1 text-critical-text shadow-float md:w-max md:max-w-none";

/** The kind of the query, an error in it, or the share and number of its matches with buttons to visit them. */
export function SearchStatus({ kind, error, result, whole, onStep }: SearchStatusProps) {
  const problem = error || result?.error || "";
  if (kind === "" && result === null) return null;
  return (
    <>
      <p
        role="status"
        className={cx("text-label", problem === "" ? "text-muted md:whitespace-nowrap" : floatingError)}
      >
        {problem !== "" ? (
          problem
        ) : (
          <>
            {kind !== "" && <span className="max-xl:sr-only">{kind}: </span>}
            {result === null ? "searching" : <Found result={result} whole={whole} />}
          </>
        )}
      </p>
      {problem === "" && result !== null && result.frameCount > 0 && (
        <span className="flex">
          <button type="button" aria-label="Previous match" onClick={() => onStep(-1)} className={step}>
            <ChevronUp aria-hidden className="size-4" />
          </button>
          <button type="button" aria-label="Next match" onClick={() => onStep(1)} className={step}>
            <ChevronDown aria-hidden className="size-4" />
          </button>
        </span>
      )}
    </>
  );
}

function Found({ result, whole }: { readonly result: SearchResult; readonly whole: number }) {
  if (result.frameCount === 0) return "no matches";
  return (
    <>
      <span className="font-medium text-text">{formatPercent(result.value, whole)}</span>
      <span className="max-2xl:sr-only">
        {" "}
        in {plural(result.functionCount, "function")}, {plural(result.frameCount, "frame")}
      </span>
    </>
  );
}
