import { Combobox } from "@base-ui/react/combobox";
import type { TagOfRange } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { Tag } from "lucide-react";
import { useState } from "react";
import { countText } from "#format/number.ts";
import { serviceLabelsQuery } from "#sample-labels/queries.ts";
import { Chip, ChipInput, Option, OptionList } from "#ui/controls/chip-combobox.tsx";
import { Select } from "#ui/controls/select.tsx";
import { useDebounced } from "#ui/hooks/search-text.ts";
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
      <ChipInput
        icon={Tag}
        label="Filter by tags"
        placeholder={Object.keys(tags).length === 0 ? "Filter by tags" : ""}
        className="min-w-48"
      >
        {optionsOf(tags).map((option) => (
          <TagChip key={option.name} option={option} />
        ))}
      </ChipInput>
      <OptionList empty={emptyText(all, text)}>
        {(option: TagOption) => <TagRow key={optionText(option)} option={option} />}
      </OptionList>
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
    <Chip name={text} removeLabel={`Remove ${text}`} className="max-w-56">
      <TagText {...option} className="truncate" />
    </Chip>
  );
}

function TagRow({ option }: { readonly option: TagOption }) {
  return (
    <Option value={option}>
      <TagText {...option} className="min-w-0 flex-1 truncate" />
      {option.profiles !== undefined && (
        <span className="text-label text-muted tabular-nums">{countText(option.profiles)}</span>
      )}
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

export function optionsOf(tags: Readonly<Record<string, string>>): TagOption[] {
  return Object.entries(tags).map(([name, value]) => ({ name, value }));
}

/** A profile has one value of a tag: a later choice replaces an earlier one of the same tag. */
export function tagsOf(options: readonly TagOption[]): Record<string, string> {
  return Object.fromEntries(options.map(({ name, value }) => [name, value]));
}

const noGroup = "";

interface GroupBySelectProps {
  readonly explore: Explore;
  /** Whether the chart has loaded; the names are asked for afterwards. */
  readonly isReady: boolean;
}

/** The tag or the label of samples by which the timeline has lines. */
export function GroupBySelect({ explore, isReady }: GroupBySelectProps) {
  const { service, tab, time, groupBy, splitLabel, sampleType, tags, labels } = explore;
  const { data } = useQuery({ ...tagsQuery({ service, tab, range: time.query, q: "" }), enabled: isReady });
  const { data: ofSamples } = useQuery({
    ...serviceLabelsQuery({
      service,
      range: time.query,
      sampleType,
      tags,
      labels,
      type: tab === "all" ? "cpu" : tab,
    }),
    enabled: isReady && tab !== "all",
  });
  // Lines of tags are of whole profiles: with a filter by labels only labels can split them.
  const isFiltered = Object.keys(labels).length > 0;
  const names = isFiltered ? [] : (data?.tags.map((tag) => tag.name) ?? []);
  const keys = ofSamples?.keys.map(({ name }) => name) ?? [];
  const allKeys = splitLabel === undefined || keys.includes(splitLabel) ? keys : [...keys, splitLabel];
  const all = groupBy === undefined || names.includes(groupBy) ? names : [...names, groupBy];
  const options = [
    { value: noGroup, label: "No grouping" },
    ...all.map((value) => ({ value: `tag ${value}`, label: `By ${value}` })),
    ...allKeys.map((value) => ({ value: `label ${value}`, label: `By label ${value}` })),
  ];
  return (
    <Select
      label="Group by"
      value={
        splitLabel !== undefined ? `label ${splitLabel}` : groupBy !== undefined ? `tag ${groupBy}` : noGroup
      }
      options={options}
      onChange={(value) =>
        explore.change({
          group_by: value.startsWith("tag ") ? value.slice(4) : undefined,
          split_label: value.startsWith("label ") ? value.slice(6) : undefined,
        })
      }
      className="min-w-36 max-w-56"
    />
  );
}
