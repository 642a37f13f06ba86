import { useEffect, useRef } from "react";
import { cx } from "#ui/cx.ts";
import { type Entry, entryGroups } from "./entries.ts";

interface EntryListProps {
  readonly id: string;
  readonly entries: readonly Entry[];
  readonly current: Entry | undefined;
  readonly onPoint: (id: string) => void;
  readonly onPick: (entry: Entry) => void;
}

export function optionId(listId: string, entry: Entry): string {
  return `${listId}-${entry.id}`;
}

/** The options of the palette by group. The focus stays in the text box, which names the current option. */
export function EntryList({ id, entries, current, onPoint, onPick }: EntryListProps) {
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
