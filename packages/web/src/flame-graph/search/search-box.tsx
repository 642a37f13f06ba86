import {
  type CallTree,
  type FlameAction,
  type FlameView,
  functionRef,
  nameQuery,
  queryFor,
  type SearchResult,
  widerThanQuery,
} from "@flamekeep/flame";
import { Search, X } from "lucide-react";
import { type KeyboardEvent, type RefObject, useEffect, useId, useMemo, useRef, useState } from "react";
import { useHasAllFrames } from "#flame-graph/decode/all-frames.ts";
import { copiesText } from "#flame-graph/reading/copies-text.ts";
import { controlClass } from "#ui/controls/input.tsx";
import { cx } from "#ui/cx.ts";
import { useDebounced } from "#ui/hooks/search-text.ts";
import { kindOfQuery, SearchStatus } from "./search-status.tsx";
import { type Suggestion, SuggestionList, suggestionId, useSuggestions } from "./suggestion-list.tsx";

const searchDelayMs = 300;

interface SearchBoxProps {
  readonly tree: CallTree;
  readonly text: string;
  readonly result: SearchResult | null;
  /** The share of the matches, as text. */
  readonly shareOf: (result: SearchResult) => string;
  /** Whether the share is of two sides, which takes more room. */
  readonly hasTwoShares?: boolean;
  readonly inputRef: RefObject<HTMLInputElement | null>;
  readonly onSearch: (text: string) => void;
  readonly onStep: (direction: 1 | -1) => void;
  /** A suggested function was chosen; the text finds it, or nothing has to be searched for. */
  readonly onSelect: (fn: number, text: string) => void;
}

/** The input has room at its right for the share and the buttons. On a phone two shares need a separate row. */
const layouts = {
  oneShare: { box: "", input: "pr-32 max-md:pr-38" },
  twoShares: { box: "max-md:max-w-none max-md:basis-full", input: "pr-46 max-md:pr-52" },
};

/** Finds functions by text or regular expression, and suggests some while somebody types. */
export function SearchBox(props: SearchBoxProps) {
  const { tree, result, shareOf, inputRef, onStep } = props;
  const layout = props.hasTwoShares === true ? layouts.twoShares : layouts.oneShare;
  const box = useSearchBox(props);
  const { typed, query, list } = box;
  const id = useId();
  const isOpen = list.shown.length > 0;
  const note = useCopiesNote(tree, result, isOpen);
  const error = query.error || result?.error || "";
  return (
    // As wide with a text as without one: what is next to it must not move while somebody types.
    <div className={cx("group/search relative min-w-52 max-w-96 flex-2", layout.box)}>
      <Search
        aria-hidden
        className="pointer-events-none absolute inset-y-0 left-2.5 my-auto size-4 text-muted"
      />
      <input
        ref={inputRef}
        type="search"
        role="combobox"
        aria-expanded={isOpen}
        aria-label="Search functions and packages"
        placeholder="text, a | b, /regex/"
        aria-autocomplete="list"
        aria-controls={isOpen ? id : undefined}
        aria-activedescendant={isOpen && list.active !== -1 ? suggestionId(id, list.active) : undefined}
        aria-invalid={query.error !== ""}
        aria-describedby={error === "" ? undefined : `${id}-status`}
        value={typed}
        onChange={(event) => box.type(event.target.value)}
        onKeyDown={box.onKeyDown}
        onBlur={list.close}
        className={cx(
          controlClass,
          "h-8! pl-8 [&::-webkit-search-cancel-button]:hidden",
          typed === "" ? "pr-2" : layout.input,
          query.error !== "" && "border-critical",
        )}
      />
      {typed !== "" && (
        <div className="absolute inset-y-0 right-1 flex items-center">
          <SearchStatus
            id={`${id}-status`}
            kind={kindOfQuery(query)}
            error={error}
            note={note}
            result={result}
            shareOf={shareOf}
            onStep={onStep}
          />
          <button
            type="button"
            aria-label="Clear search"
            onClick={box.clear}
            className="grid size-6 place-items-center rounded-badge text-muted hover:bg-surface-2 hover:text-text max-md:size-8"
          >
            <X aria-hidden className="size-3.5" />
          </button>
        </div>
      )}
      {isOpen && (
        <SuggestionList
          id={id}
          tree={tree}
          suggestions={list.shown}
          active={list.active}
          onChoose={box.choose}
        />
      )}
    </div>
  );
}

/** The sentence about copies that the share includes and the query does not name; empty while suggestions are over it. */
function useCopiesNote(tree: CallTree, result: SearchResult | null, isCovered: boolean): string {
  const fn = useMemo(() => (result === null ? -1 : widerThanQuery(tree.functions, result)), [tree, result]);
  return fn === -1 || isCovered ? "" : copiesText(tree.functions, fn);
}

/** The text of the box, its suggestions and its keys. */
function useSearchBox({ tree, text, result, inputRef, onSearch, onStep, onSelect }: SearchBoxProps) {
  const [typed, setTyped] = useTyped(text, onSearch);
  const early = useEarlyStep(result, onStep);
  const list = useSuggestionList(tree, typed);
  const query = useMemo(() => nameQuery(typed), [typed]);

  function choose(fn: number) {
    const found = queryFor(tree.functions.name[fn]!) ?? "";
    list.close();
    setTyped(found);
    onSelect(fn, found);
  }

  function clear() {
    early.forget();
    list.close();
    setTyped("");
    onSearch("");
  }

  function enter(isBack: boolean) {
    const active = list.shown[list.active];
    if (active !== undefined) return choose(active.fn);
    list.close();
    const direction = isBack ? -1 : 1;
    if (typed === text && result?.query === text) return onStep(direction);
    early.wait(direction, typed);
    onSearch(typed);
  }

  function onKeyDown(event: KeyboardEvent) {
    const { key } = event;
    if (key === "Enter") enter(event.shiftKey);
    else if (key === "Escape" && list.shown.length > 0) list.close();
    else if (key === "Escape" && typed !== "") clear();
    else if (key === "Escape") inputRef.current?.blur();
    else if (key !== "ArrowDown" && key !== "ArrowUp") return;
    else if (!list.move(key === "ArrowDown" ? 1 : -1)) return;
    event.preventDefault();
  }

  function type(next: string) {
    early.forget();
    list.open();
    setTyped(next);
  }

  return { typed, query, list, choose, clear, onKeyDown, type };
}

/** Enter pressed before the matches of the typed text are there: goes to the first of them as soon as they are. */
function useEarlyStep(result: SearchResult | null, onStep: (direction: 1 | -1) => void) {
  const waiting = useRef<{ readonly direction: 1 | -1; readonly text: string }>(null);
  useEffect(() => {
    if (waiting.current === null || result?.query !== waiting.current.text) return;
    const { direction } = waiting.current;
    waiting.current = null;
    onStep(direction);
  }, [result, onStep]);
  return {
    wait(direction: 1 | -1, text: string) {
      waiting.current = { direction, text };
    },
    forget() {
      waiting.current = null;
    },
  };
}

const none: readonly Suggestion[] = [];

/** The suggestions while the box has the focus and somebody types. */
function useSuggestionList(tree: CallTree, typed: string) {
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const found = useSuggestions(tree, isOpen ? typed : "");
  const shown = isOpen ? found : none;
  return {
    shown,
    active: active < shown.length ? active : -1,
    open: () => {
      setOpen(true);
      setActive(-1);
    },
    close: () => setOpen(false),
    /** Through the suggestions, and to the text before the first one. @returns whether there are any */
    move: (by: 1 | -1) => {
      const places = shown.length + 1;
      if (places > 1) setActive(((active + 1 + by + places) % places) - 1);
      return places > 1;
    },
  };
}

/**
 * The typed text. Starts a search after a pause, and follows changes of the view's text from elsewhere. No search starts once the
 * address is another page's: this page is shown until the other one is loaded, and the search would lead back to it.
 */
function useTyped(text: string, onSearch: (text: string) => void) {
  const [typed, setTyped] = useState(text);
  const [lastText, setLastText] = useState(text);
  if (lastText !== text) {
    setLastText(text);
    setTyped(text);
  }
  const settled = useDebounced(typed, searchDelayMs);
  const search = useRef(onSearch);
  const typedAt = useRef("");
  useEffect(() => {
    search.current = onSearch;
  });
  useEffect(() => {
    if (window.location.pathname === typedAt.current) search.current(settled);
  }, [settled]);
  return [
    typed,
    (next: string) => {
      typedAt.current = window.location.pathname;
      setTyped(next);
    },
  ] as const;
}

interface GraphSearchProps
  extends Pick<SearchBoxProps, "result" | "shareOf" | "hasTwoShares" | "inputRef" | "onStep"> {
  readonly tree: CallTree;
  readonly view: FlameView;
  readonly change: (action: FlameAction) => void;
}

/** The search box of a graph: what is typed or chosen changes the view. */
export function GraphSearch({ tree, view, change, result, ...box }: GraphSearchProps) {
  const hasAllFrames = useHasAllFrames();
  return (
    <SearchBox
      {...box}
      result={hasAllFrames ? result : null}
      tree={tree}
      text={view.search}
      onSearch={(text) => change({ do: "search", text })}
      onSelect={(fn, text) =>
        change({ do: "select function", name: functionRef(tree.functions, fn), search: text })
      }
    />
  );
}
