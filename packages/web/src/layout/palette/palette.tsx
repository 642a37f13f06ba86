import { Dialog } from "@base-ui/react/dialog";
import { Search } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { palette, useIsOpen } from "#keyboard/open-state.ts";
import { Kbd } from "#ui/content/kbd.tsx";
import { cx } from "#ui/cx.ts";
import { type Entry, entryGroups } from "./entries.ts";
import { useEntries } from "./use-entries.ts";

interface PaletteProps {
  readonly onToggleSidebar: () => void;
}

/** Finds pages, services, functions, profiles and actions by name. */
export function Palette({ onToggleSidebar }: PaletteProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <Dialog.Root open={useIsOpen(palette)} onOpenChange={(open) => palette.set(open)}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-[oklch(0.12_0.01_60/0.5)] transition-opacity duration-120 data-[ending-style]:opacity-0 data-[starting-style]:opacity-0" />
        <Dialog.Popup
          initialFocus={input}
          className="-translate-x-1/2 fixed top-[min(14vh,8rem)] left-1/2 z-50 flex max-h-[min(30rem,calc(100dvh-2rem))] w-[min(40rem,calc(100vw-1rem))] flex-col overflow-hidden rounded-card border border-line bg-surface shadow-float transition-opacity duration-120 max-sm:top-2 data-[ending-style]:opacity-0 data-[starting-style]:opacity-0"
        >
          <Dialog.Title className="sr-only">Command palette</Dialog.Title>
          <PaletteSearch inputRef={input} onToggleSidebar={onToggleSidebar} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface PaletteSearchProps extends PaletteProps {
  readonly inputRef: React.RefObject<HTMLInputElement | null>;
}

/** Mounted while the palette is open, so that each opening starts empty. */
function PaletteSearch({ inputRef, onToggleSidebar }: PaletteSearchProps) {
  const [query, setQuery] = useState("");
  const [chosen, setChosen] = useState<string>();
  const listId = useId();
  const { entries, isSearching, error } = useEntries(query, onToggleSidebar);
  const current = entries.find(({ id }) => id === chosen) ?? entries[0];

  function run(entry: Entry | undefined) {
    if (entry === undefined) return;
    palette.set(false);
    entry.run();
  }

  function onKeyDown(event: KeyboardEvent) {
    const at = current === undefined ? -1 : entries.indexOf(current);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: entries.length - 1 }[event.key];
    // Home and End belong to the text while there is one.
    const isForText = query !== "" && (event.key === "Home" || event.key === "End");
    if (next !== undefined && !isForText) setChosen(entries.at(next % Math.max(1, entries.length))?.id);
    else if (event.key === "Enter") run(current);
    else if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) palette.set(false);
    else return;
    event.preventDefault();
  }

  return (
    <>
      <div className="flex items-center gap-3 border-line border-b px-4">
        <Search aria-hidden className="size-4 shrink-0 text-muted" strokeWidth={1.75} />
        <input
          ref={inputRef}
          role="combobox"
          aria-label="Find a page, service, function, profile or action"
          aria-expanded="true"
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={current && optionId(listId, current)}
          autoComplete="off"
          spellCheck={false}
          placeholder="Page, service, function, action or profile id"
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setChosen(undefined);
          }}
          onKeyDown={onKeyDown}
          className="h-12 min-w-0 flex-1 bg-transparent text-body outline-none placeholder:text-muted"
        />
        <span aria-hidden className="max-sm:hidden">
          <Kbd>Esc</Kbd>
        </span>
      </div>
      <EntryList id={listId} entries={entries} current={current} onPoint={setChosen} onPick={run} />
      <PaletteNote count={entries.length} isSearching={isSearching} error={error} query={query} />
    </>
  );
}

interface PaletteNoteProps {
  readonly count: number;
  readonly isSearching: boolean;
  readonly error: Error | null;
  readonly query: string;
}

function PaletteNote({ count, isSearching, error, query }: PaletteNoteProps) {
  const found = count === 0 && !isSearching ? `Nothing found for “${query.trim()}”` : undefined;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-t px-4 py-1 text-label text-muted sm:min-h-9">
      <span role="status" className="min-w-0 flex-1">
        {error !== null && (
          <span className="text-critical-text">Not everything was searched. {error.message} </span>
        )}
        {found ?? (isSearching ? "Searching..." : "")}
        <span className="sr-only">{count} found</span>
      </span>
      <span aria-hidden className="flex items-center gap-1.5 max-sm:hidden">
        <Kbd>↑</Kbd>
        <Kbd>↓</Kbd> select
        <Kbd>Enter</Kbd> open
      </span>
    </div>
  );
}

interface EntryListProps {
  readonly id: string;
  readonly entries: readonly Entry[];
  readonly current: Entry | undefined;
  readonly onPoint: (id: string) => void;
  readonly onPick: (entry: Entry) => void;
}

function optionId(listId: string, entry: Entry): string {
  return `${listId}-${entry.id}`;
}

/** The options of the palette by group. The focus stays in the text box, which names the current option. */
function EntryList({ id, entries, current, onPoint, onPick }: EntryListProps) {
  const list = useRef<HTMLDivElement>(null);
  const currentId = current && optionId(id, current);

  useEffect(() => {
    if (currentId === undefined) return;
    list.current?.querySelector(`#${CSS.escape(currentId)}`)?.scrollIntoView({ block: "nearest" });
  }, [currentId]);

  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label="Results"
      className="min-h-0 flex-1 scroll-py-2 overflow-y-auto p-2"
    >
      {entryGroups.map((group) => {
        const entriesOfGroup = entries.filter((entry) => entry.group === group);
        if (entriesOfGroup.length === 0) return null;
        return (
          // biome-ignore lint/a11y/useSemanticElements: a listbox groups its options with this role
          <div key={group} role="group" aria-labelledby={`${id}-${group}`} className="mb-2 last:mb-0">
            <div id={`${id}-${group}`} className="px-2 py-1 font-medium text-label text-muted">
              {group}
            </div>
            {entriesOfGroup.map((entry) => (
              <Option
                key={entry.id}
                id={optionId(id, entry)}
                entry={entry}
                isCurrent={entry === current}
                onPoint={onPoint}
                onPick={onPick}
              />
            ))}
          </div>
        );
      })}
    </div>
  );
}

interface OptionProps extends Pick<EntryListProps, "onPoint" | "onPick"> {
  readonly id: string;
  readonly entry: Entry;
  readonly isCurrent: boolean;
}

function Option({ id, entry, isCurrent, onPoint, onPick }: OptionProps) {
  const { label, detail, icon: Icon, isCode = false } = entry;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the text box handles the keys of its options
    // biome-ignore lint/a11y/useFocusableInteractive: an option is pointed to by the text box, which has the focus
    <div
      id={id}
      role="option"
      aria-selected={isCurrent}
      onPointerMove={() => onPoint(entry.id)}
      onClick={() => onPick(entry)}
      className={cx(
        "flex h-9 cursor-pointer items-center gap-3 rounded-control px-2 max-md:h-10",
        isCurrent && "bg-surface-2",
      )}
    >
      <Icon aria-hidden className="size-4 shrink-0 text-muted" strokeWidth={1.75} />
      <span className={cx("min-w-0 truncate", isCode && "font-mono text-code")}>{label}</span>
      {detail && (
        <span className="ml-auto min-w-0 shrink-0 truncate pl-3 text-label text-muted max-w-3/5">
          {detail}
        </span>
      )}
    </div>
  );
}
