import { formatPercent, type SearchResult } from "@flamekeep/flame";
import { ChevronDown, ChevronUp, Search, X } from "lucide-react";
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { plural } from "#format/number.ts";
import { controlClass } from "#ui/controls/input.tsx";
import { useDebounced } from "#ui/hooks/search-text.ts";

const searchDelayMs = 300;

interface SearchBoxProps {
  readonly text: string;
  readonly result: SearchResult | null;
  readonly whole: number;
  readonly inputRef: RefObject<HTMLInputElement | null>;
  readonly onSearch: (text: string) => void;
  readonly onStep: (direction: 1 | -1) => void;
}

export function SearchBox({ text, result, whole, inputRef, onSearch, onStep }: SearchBoxProps) {
  const [typed, setTyped] = useTyped(text, onSearch);

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Enter") {
      event.preventDefault();
      if (typed === text) onStep(event.shiftKey ? -1 : 1);
      else onSearch(typed);
    } else if (event.key === "Escape") {
      event.preventDefault();
      setTyped("");
      onSearch("");
      inputRef.current?.blur();
    }
  }

  return (
    <div className="flex min-w-fit flex-1 items-center gap-2">
      <div className="relative min-w-40 max-w-96 flex-1">
        <Search
          aria-hidden
          className="pointer-events-none absolute inset-y-0 left-2.5 my-auto size-4 text-muted"
        />
        <input
          ref={inputRef}
          type="search"
          aria-label="Search functions and packages"
          placeholder="Search functions and packages"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={onKeyDown}
          className={`${controlClass} h-8! pr-8 pl-8 [&::-webkit-search-cancel-button]:hidden`}
        />
        {typed !== "" && (
          <button
            type="button"
            aria-label="Clear search"
            onClick={() => {
              setTyped("");
              onSearch("");
            }}
            className="absolute inset-y-0 right-1 my-auto grid size-6 place-items-center rounded-badge text-muted hover:bg-surface-2 hover:text-text"
          >
            <X aria-hidden className="size-3.5" />
          </button>
        )}
      </div>
      {result !== null && <Matches result={result} whole={whole} onStep={onStep} />}
    </div>
  );
}

type MatchesProps = Pick<SearchBoxProps, "whole" | "onStep"> & { readonly result: SearchResult };

function Matches({ result, whole, onStep }: MatchesProps) {
  const step =
    "grid size-7 shrink-0 place-items-center rounded-control text-muted hover:bg-surface-2 hover:text-text";
  return (
    <>
      <p role="status" className="whitespace-nowrap text-label text-muted">
        {result.frameCount === 0 ? (
          "No matches"
        ) : (
          <>
            <span className="font-medium text-text">{formatPercent(result.value, whole)}</span>
            <span className="hidden lg:inline">
              {" "}
              in {plural(result.functionCount, "function")}, {plural(result.frameCount, "frame")}
            </span>
          </>
        )}
      </p>
      {result.frameCount > 0 && (
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

/** The typed text. Starts a search after a pause, and follows changes of the view's text from elsewhere. */
function useTyped(text: string, onSearch: (text: string) => void) {
  const [typed, setTyped] = useState(text);
  const [lastText, setLastText] = useState(text);
  if (lastText !== text) {
    setLastText(text);
    setTyped(text);
  }
  const settled = useDebounced(typed, searchDelayMs);
  const search = useRef(onSearch);
  useEffect(() => {
    search.current = onSearch;
  });
  useEffect(() => {
    search.current(settled);
  }, [settled]);
  return [typed, setTyped] as const;
}
