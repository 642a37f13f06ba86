import type { NameQuery, SearchResult } from "@flamekeep/flame";
import { ChevronDown, ChevronUp } from "lucide-react";
import { plural } from "#format/number.ts";
import { cx } from "#ui/cx.ts";

interface SearchStatusProps {
  readonly id: string;
  /** The kind of the query in words; empty without one. */
  readonly kind: string;
  /** Why the typed expression cannot be used, or did not find all; else empty. */
  readonly error: string;
  /** A sentence about what the share includes beyond the query; else empty. */
  readonly note: string;
  readonly result: SearchResult | null;
  /** The share of the matches, as text. */
  readonly shareOf: (result: SearchResult) => string;
  readonly onStep: (direction: 1 | -1) => void;
}

// Takes no clicks, and ends with the focus: below the box there may be other controls of the toolbar.
const floating =
  "pointer-events-none absolute top-full right-0 z-40 mt-2 hidden w-max max-w-[min(32rem,calc(100vw-2rem))] rounded-control border border-line bg-surface px-2 py-1 text-label shadow-float group-focus-within/search:block";

/** In the box of a search: an error in it, or the share of its matches with buttons to visit them. Their number is in the tooltip. */
export function SearchStatus({ id, kind, error, note, result, shareOf, onStep }: SearchStatusProps) {
  if (kind === "" && result === null) return null;
  const found = result === null ? "" : foundText(result) + (note && `. ${note}`);
  return (
    <>
      {error !== "" && (
        <span aria-hidden title={error} className="px-1 text-critical-text text-label">
          {result?.error === error ? "too slow" : "not valid"}
        </span>
      )}
      <p
        id={id}
        role="status"
        title={error === "" ? `${kind}${found}` : undefined}
        className={
          error === "" ? "px-1 text-label text-muted tabular-nums" : cx(floating, "text-critical-text")
        }
      >
        {error !== "" ? (
          error
        ) : (
          <>
            {kind !== "" && <span className="sr-only">{kind}: </span>}
            {result === null ? "searching" : <Found {...{ result, found, shareOf }} />}
          </>
        )}
      </p>
      {error === "" && note !== "" && (
        <span aria-hidden className={floating}>
          {note}
        </span>
      )}
      {error === "" && result !== null && result.frameCount > 0 && (
        <StepButtons noun="match" onStep={onStep} className="rounded-badge max-md:size-8" />
      )}
    </>
  );
}

function foundText({ functionCount, frameCount }: SearchResult): string {
  return frameCount === 0 ? "" : ` in ${plural(functionCount, "function")}, ${plural(frameCount, "frame")}`;
}

interface FoundProps extends Pick<SearchStatusProps, "shareOf"> {
  readonly result: SearchResult;
  readonly found: string;
}

function Found({ result, found, shareOf }: FoundProps) {
  if (result.frameCount === 0) return "no matches";
  return (
    <>
      <span className="font-medium text-text">{shareOf(result)}</span>
      <span className="sr-only">{found}</span>
    </>
  );
}

/** The kind of a query in words; empty for none. */
export function kindOfQuery({ kind, terms }: Pick<NameQuery, "kind" | "terms">): string {
  if (kind === "nothing") return "";
  if (kind === "expression") return "Regular expression";
  return terms === 1 ? "Text" : `Any of ${terms} texts`;
}

interface StepButtonsProps {
  readonly noun: string;
  readonly onStep: (direction: 1 | -1) => void;
  /** Corners, and the size on phones. */
  readonly className: string;
}

/** Buttons to the previous and the next one. */
export function StepButtons({ noun, onStep, className }: StepButtonsProps) {
  return ([-1, 1] as const).map((direction) => {
    const Chevron = direction === 1 ? ChevronDown : ChevronUp;
    return (
      <button
        key={direction}
        type="button"
        aria-label={`${direction === 1 ? "Next" : "Previous"} ${noun}`}
        onClick={() => onStep(direction)}
        className={cx(
          "grid size-6 shrink-0 place-items-center text-muted hover:bg-surface-2 hover:text-text",
          className,
        )}
      >
        <Chevron aria-hidden className="size-4" />
      </button>
    );
  });
}
