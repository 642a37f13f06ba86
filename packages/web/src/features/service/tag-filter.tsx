import { Combobox } from "@base-ui/react/combobox";
import { useQuery } from "@tanstack/react-query";
import { Check, Tag, X } from "lucide-react";
import { useState } from "react";
import { countText } from "#format/number.ts";
import { useDebounced } from "#ui/hooks/search-text.ts";
import {
  isSameOption,
  matchingOptions,
  optionsOf,
  optionText,
  type TagOption,
  tagsOf,
} from "./model/tag-options.ts";
import { tagsQuery } from "./queries.ts";
import type { Explore } from "./use-explore.ts";

const searchDelayMs = 250;
const shownMax = 200;

/** Tags that all profiles of the page have, as chips, with completion from the tags of the range. */
export function TagFilter({ explore }: { readonly explore: Explore }) {
  const { service, tab, time, tags, changeTags } = explore;
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState("");
  const q = useDebounced(text.trim(), searchDelayMs);
  const topic = { service, tab, range: time.query };
  const all = useQuery({ ...tagsQuery({ ...topic, q: "" }), enabled: isOpen });
  // The first reply has the most frequent values; a tag with more of them is searched by the server.
  const isPartial = all.data?.tags.some((tag) => tag.values_total > tag.values.length) ?? false;
  const found = useQuery({ ...tagsQuery({ ...topic, q }), enabled: isOpen && isPartial && q !== "" });
  const near = matchingOptions(all.data?.tags ?? [], text);
  const far = matchingOptions(found.data?.tags ?? [], text).filter(
    (option) => !near.some((each) => isSameOption(each, option)),
  );
  const items = [...near, ...far].slice(0, shownMax);

  return (
    <Combobox.Root
      multiple
      items={items}
      filter={null}
      value={optionsOf(tags)}
      onValueChange={(next: TagOption[], { reason }) => {
        // Escape closes the list; it must not remove the tags.
        if (reason !== "escape-key") changeTags(tagsOf(next));
      }}
      inputValue={text}
      onInputValueChange={setText}
      open={isOpen}
      onOpenChange={setOpen}
      itemToStringLabel={optionText}
      isItemEqualToValue={isSameOption}
    >
      <Combobox.InputGroup className="flex min-h-9 min-w-48 flex-1 cursor-text flex-wrap items-center gap-1 rounded-control border border-line-strong bg-surface py-1 pr-2 pl-2.5 focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-accent max-md:min-h-10">
        <Tag aria-hidden className="size-4 shrink-0 text-muted" strokeWidth={1.75} />
        <Combobox.Chips className="contents">
          {optionsOf(tags).map((option) => (
            <TagChip key={option.name} option={option} />
          ))}
          <Combobox.Input
            aria-label="Filter by tags"
            placeholder={Object.keys(tags).length === 0 ? "Filter by tags" : ""}
            className="h-6 min-w-10 flex-1 bg-transparent outline-none placeholder:text-muted"
          />
        </Combobox.Chips>
      </Combobox.InputGroup>
      <Combobox.Portal>
        <Combobox.Positioner sideOffset={6} align="start" className="z-50 outline-none">
          <Combobox.Popup className="max-h-[min(var(--available-height),24rem)] w-[max(var(--anchor-width),18rem)] max-w-[var(--available-width)] overflow-y-auto rounded-control border border-line bg-surface p-1 shadow-float outline-none transition-opacity duration-120 data-[ending-style]:opacity-0 data-[starting-style]:opacity-0">
            <Combobox.Empty>
              <p className="px-2.5 py-2 text-muted empty:hidden">{emptyText(all, text)}</p>
            </Combobox.Empty>
            <Combobox.List>
              {(option: TagOption) => <TagRow key={optionText(option)} option={option} />}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}

function emptyText(
  query: { readonly isPending: boolean; readonly error: Error | null },
  text: string,
): string {
  if (query.error !== null) return `Could not load the tags: ${query.error.message}`;
  if (query.isPending) return "Loading tags...";
  return text.trim() === "" ? "The profiles of this range have no tags." : "No tag of this range matches.";
}

function TagChip({ option }: { readonly option: TagOption }) {
  const text = optionText(option);
  return (
    <Combobox.Chip
      aria-label={text}
      title={text}
      className="flex h-6 min-w-0 max-w-56 cursor-default items-center gap-1 rounded-badge bg-surface-2 pl-1.5 text-label outline-none focus-within:outline-2 focus-within:outline-accent"
    >
      <span className="truncate">
        <span className="text-muted">{option.name}: </span>
        {option.value}
      </span>
      <Combobox.ChipRemove
        aria-label={`Remove ${text}`}
        className="grid size-6 shrink-0 place-items-center rounded-badge text-muted hover:bg-line hover:text-text"
      >
        <X aria-hidden className="size-3" />
      </Combobox.ChipRemove>
    </Combobox.Chip>
  );
}

function TagRow({ option }: { readonly option: TagOption }) {
  return (
    <Combobox.Item
      value={option}
      className="flex h-8 cursor-default items-center gap-2 rounded-badge pr-2.5 pl-2 outline-none data-[highlighted]:bg-surface-2 max-md:min-h-10"
    >
      <span className="grid size-4 shrink-0 place-items-center">
        <Combobox.ItemIndicator>
          <Check aria-hidden className="size-4 text-accent-text" />
        </Combobox.ItemIndicator>
      </span>
      <span className="min-w-0 flex-1 truncate">
        <span className="text-muted">{option.name}: </span>
        {option.value}
      </span>
      {option.profiles !== undefined && (
        <span className="text-label text-muted tabular-nums">{countText(option.profiles)}</span>
      )}
    </Combobox.Item>
  );
}
