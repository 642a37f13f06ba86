import { Combobox } from "@base-ui/react/combobox";
import type { ProfileTab, TagOfRange } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { Tag } from "lucide-react";
import { useState } from "react";
import { countText } from "#format/number.ts";
import type { RangeQuery } from "#time-range/view-range.ts";
import { Chip, ChipInput, Option, OptionList } from "#ui/controls/chip-combobox.tsx";
import type { FieldStart } from "#ui/controls/chip-field.tsx";
import { useDebounced } from "#ui/hooks/search-text.ts";
import { serviceTagsQuery } from "./queries.ts";

const searchDelayMs = 250;
const shownMax = 200;

type Tags = Readonly<Record<string, string>>;

export interface TagFilterProps {
  readonly service: string;
  readonly tab: ProfileTab;
  readonly range: RangeQuery;
  readonly tags: Tags;
  readonly onChange: (tags: Tags) => void;
  /** Accessible name of the field. */
  readonly label?: string;
  /** Whether the field has the focus at first. */
  readonly isActive?: boolean;
}

interface TagComboboxProps extends Omit<TagFilterProps, "isActive"> {
  readonly label: string;
  readonly start: FieldStart;
}

/** Completes names and values from the tags of the range. */
export function TagCombobox(props: TagComboboxProps) {
  const { tags, onChange, label, start } = props;
  const [isOpen, setOpen] = useState(start.isOpen);
  const [text, setText] = useState(start.text);
  const { items, query } = useTagOptions(props, isOpen, text);

  return (
    <Combobox.Root
      multiple
      items={items}
      filter={null}
      value={optionsOf(tags)}
      onValueChange={(next: TagOption[], { reason }) => {
        // Escape closes the list; it must not remove the tags.
        if (reason !== "escape-key") onChange(tagsOf(next));
      }}
      inputValue={text}
      onInputValueChange={setText}
      open={isOpen}
      onOpenChange={setOpen}
      itemToStringLabel={optionText}
      isItemEqualToValue={isSameOption}
    >
      <ChipInput
        icon={Tag}
        label={label}
        isActive={start.hasFocus}
        placeholder={Object.keys(tags).length === 0 ? "Filter by tags" : ""}
        className="min-w-38"
      >
        {optionsOf(tags).map((option) => (
          <TagChip key={option.name} option={option} />
        ))}
      </ChipInput>
      <OptionList empty={emptyText(query, text)}>
        {(option: TagOption) => <TagRow key={optionText(option)} option={option} />}
      </OptionList>
    </Combobox.Root>
  );
}

/** The options for a text, and the query that they come from. */
function useTagOptions({ service, tab, range }: TagComboboxProps, isOpen: boolean, text: string) {
  const q = useDebounced(text.trim(), searchDelayMs);
  const topic = { service, tab, range };
  const query = useQuery({ ...serviceTagsQuery({ ...topic, q: "" }), enabled: isOpen });
  // The first reply has the most frequent values; a tag with more of them is searched by the server.
  const isPartial = query.data?.tags.some((tag) => tag.values_total > tag.values.length) ?? false;
  const found = useQuery({ ...serviceTagsQuery({ ...topic, q }), enabled: isOpen && isPartial && q !== "" });
  const near = matchingOptions(query.data?.tags ?? [], text);
  const far = matchingOptions(found.data?.tags ?? [], text).filter(
    (option) => !near.some((each) => isSameOption(each, option)),
  );
  const listed = [...near, ...far].slice(0, shownMax);
  const typed = query.data && typedOption(text);
  const isNew = typed !== undefined && !listed.some((each) => isSameOption(each, typed));
  return { query, items: isNew ? [...listed, typed] : listed };
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
    <Chip name={text} removeLabel={`Remove ${text}`} className="max-w-56">
      <TagText {...option} className="truncate" />
    </Chip>
  );
}

function TagRow({ option }: { readonly option: TagOption }) {
  return (
    <Option value={option}>
      <TagText {...option} className="min-w-0 flex-1 truncate" />
      <span className="shrink-0 text-label text-muted tabular-nums">
        {option.profiles === undefined ? "not in this range" : countText(option.profiles)}
      </span>
    </Option>
  );
}

function TagText({ name, value, className }: TagOption & { readonly className: string }) {
  return (
    <span className={className}>
      <span className="text-muted">{name}: </span>
      {value}
    </span>
  );
}

/** A tag with one of its values, as a choice. */
interface TagOption {
  readonly name: string;
  readonly value: string;
  /** Undefined for a chosen one that does not occur. */
  readonly profiles?: number;
}

/** `region: eu` */
function optionText({ name, value }: TagOption): string {
  return `${name}: ${value}`;
}

export function isSameOption(a: TagOption, b: TagOption): boolean {
  return a.name === b.name && a.value === b.value;
}

/** The values whose tag and value contain the text; spaces around it and case do not matter. */
export function matchingOptions(tags: readonly TagOfRange[], text: string): TagOption[] {
  const wanted = text.trim().toLowerCase();
  return tags
    .flatMap(({ name, values }) => values.map((value): TagOption => ({ name, ...value })))
    .filter((option) => optionText(option).toLowerCase().includes(wanted));
}

/** A tag that is written out as `name: value`, which the range need not have; undefined for other texts. */
export function typedOption(text: string): TagOption | undefined {
  const [, name, value] = /^\s*([^:\s][^:]*):\s*(\S.*)$/.exec(text) ?? [];
  return name === undefined || value === undefined ? undefined : { name: name.trim(), value: value.trim() };
}

export function optionsOf(tags: Readonly<Record<string, string>>): TagOption[] {
  return Object.entries(tags).map(([name, value]) => ({ name, value }));
}

/** A profile has one value of a tag: a later choice replaces an earlier one of the same tag. */
export function tagsOf(options: readonly TagOption[]): Record<string, string> {
  return Object.fromEntries(options.map(({ name, value }) => [name, value]));
}
