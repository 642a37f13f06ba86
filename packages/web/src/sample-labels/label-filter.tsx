import { Combobox } from "@base-ui/react/combobox";
import type { ProfileLabels } from "@flamekeep/contract";
import { Check, ListFilter, X } from "lucide-react";
import { useState } from "react";
import { percentText } from "#format/number.ts";
import { type Labels, shareOf } from "./model.ts";

interface LabelFilterProps {
  /** All labels of the samples; undefined while they load. */
  readonly found: ProfileLabels | undefined;
  readonly labels: Labels;
  readonly onChange: (labels: Labels | undefined) => void;
}

const shownMax = 200;

type ChangeDetails = Pick<Combobox.Root.ChangeEventDetails, "reason" | "cancel">;

/** The labels that samples must have, as chips. Completes the name of a label, then its value. Absent if there is nothing to choose. */
export function LabelFilter({ found, labels, onChange }: LabelFilterProps) {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState("");
  const chosen = optionsOf(labels);
  const keys = found?.keys ?? [];
  if (keys.length === 0 && chosen.length === 0) return null;

  function choose(next: readonly LabelOption[], { reason, cancel }: ChangeDetails) {
    // Escape closes the list; it must not remove the labels.
    if (reason === "escape-key") return;
    const last = next.at(-1);
    if (last?.kind === "name") {
      setText(nameText(last.name));
      // The list stays open for the values.
      cancel();
    } else {
      setText("");
      onChange(labelsOf(next));
    }
  }

  return (
    <Combobox.Root
      multiple
      items={matchingOptions(keys, text).slice(0, shownMax)}
      filter={null}
      value={chosen}
      onValueChange={choose}
      inputValue={text}
      onInputValueChange={(next, { reason }) => {
        // A choice clears the text, but the name of a label stays for its values.
        if (reason !== "input-clear") setText(next);
      }}
      open={isOpen}
      onOpenChange={(next) => {
        setOpen(next);
        if (!next) setText("");
      }}
      itemToStringLabel={optionText}
      isItemEqualToValue={isSameOption}
      autoHighlight
    >
      <Combobox.InputGroup className="flex min-h-9 min-w-40 flex-1 cursor-text flex-wrap items-center gap-1 rounded-control border border-line-strong bg-surface py-1 pr-2 pl-2.5 focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-accent max-md:min-h-10">
        <ListFilter aria-hidden className="size-4 shrink-0 text-muted" strokeWidth={1.75} />
        <Combobox.Chips className="contents">
          {Object.entries(labels).map(([name, value]) => (
            <LabelChip
              key={name}
              text={filterText(name, value)}
              share={found && shareOf(found, name, value)}
            />
          ))}
          <Combobox.Input
            aria-label="Filter by labels of samples"
            placeholder={chosen.length === 0 ? "Filter by labels" : ""}
            className="h-6 min-w-10 flex-1 bg-transparent outline-none placeholder:text-muted"
          />
        </Combobox.Chips>
      </Combobox.InputGroup>
      <Combobox.Portal>
        <Combobox.Positioner sideOffset={6} align="start" className="z-50 outline-none">
          <Combobox.Popup className="max-h-[min(var(--available-height),24rem)] w-[max(var(--anchor-width),18rem)] max-w-[var(--available-width)] overflow-y-auto rounded-control border border-line bg-surface p-1 shadow-float outline-none transition-opacity duration-120 data-[ending-style]:opacity-0 data-[starting-style]:opacity-0">
            <Combobox.Empty>
              <p className="px-2.5 py-2 text-muted empty:hidden">
                {found === undefined ? "Loading labels..." : "No label of these samples matches."}
              </p>
            </Combobox.Empty>
            <Combobox.List>
              {(option: LabelOption) => (
                <LabelRow key={`${option.kind} ${optionText(option)}`} option={option} />
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}

interface LabelChipProps {
  readonly text: string;
  /** The part of the total, 0 to 1; undefined if it is not known. */
  readonly share: number | undefined;
}

function LabelChip({ text, share }: LabelChipProps) {
  const percent = share === undefined ? undefined : percentText(100 * share);
  const name = percent === undefined ? text : `${text}, ${percent} of the total`;
  return (
    <Combobox.Chip
      aria-label={name}
      title={name}
      className="flex h-6 min-w-0 max-w-64 cursor-default items-center gap-1 rounded-badge bg-surface-2 pl-1.5 text-label outline-none focus-within:outline-2 focus-within:outline-accent"
    >
      <span className="truncate">{text}</span>
      {percent && <span className="shrink-0 text-muted tabular-nums">{percent}</span>}
      <Combobox.ChipRemove
        aria-label={`Remove ${text}`}
        className="grid size-6 shrink-0 place-items-center rounded-badge text-muted hover:bg-line hover:text-text"
      >
        <X aria-hidden className="size-3" />
      </Combobox.ChipRemove>
    </Combobox.Chip>
  );
}

function LabelRow({ option }: { readonly option: LabelOption }) {
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
      <span className="min-w-0 flex-1 truncate">{optionText(option)}</span>
    </Combobox.Item>
  );
}

/** A choice of the label filter: a label whose values come next, or one of its values. */
type LabelOption =
  | { readonly kind: "name"; readonly name: string }
  /** An empty value is for samples without the label. */
  | { readonly kind: "value"; readonly name: string; readonly value: string };

/** `step: knead`, `without step` */
function filterText(name: string, value: string): string {
  return value === "" ? `without ${name}` : `${name}: ${value}`;
}

/** The text of the filter once the label is chosen. */
function nameText(name: string): string {
  return `${name}: `;
}

function optionText(option: LabelOption): string {
  return option.kind === "name" ? nameText(option.name) : filterText(option.name, option.value);
}

function isSameOption(a: LabelOption, b: LabelOption): boolean {
  return optionText(a) === optionText(b) && a.kind === b.kind;
}

function optionsOf(labels: Labels): LabelOption[] {
  return Object.entries(labels).map(([name, value]) => ({ kind: "value", name, value }));
}

/** The filter of the options; undefined for none. A later option replaces an earlier one of the same label. */
function labelsOf(options: readonly LabelOption[]): Labels | undefined {
  const values = options.filter((option) => option.kind === "value");
  return values.length === 0 ? undefined : Object.fromEntries(values.map(({ name, value }) => [name, value]));
}

/**
 * The labels whose name contains the text, then the values that do. After a name and a colon only values of that label; one that is
 * not listed may be typed if the label has more values than are listed. Case does not matter.
 */
function matchingOptions(keys: ProfileLabels["keys"], text: string): LabelOption[] {
  const wanted = text.trim().toLowerCase();
  const named = keys.filter(({ name }) => wanted.startsWith(`${name.toLowerCase()}:`));
  const key = named.sort((a, b) => b.name.length - a.name.length)[0];
  if (key !== undefined)
    return valuesOf(
      key,
      text
        .trim()
        .slice(key.name.length + 1)
        .trim(),
    );
  const names = keys.filter(({ name }) => name.toLowerCase().includes(wanted));
  const values =
    wanted === ""
      ? []
      : keys.flatMap((each) =>
          valuesOf(each, "").filter((option) => optionText(option).toLowerCase().includes(wanted)),
        );
  return [...names.map(({ name }): LabelOption => ({ kind: "name", name })), ...values];
}

function valuesOf(key: ProfileLabels["keys"][number], typed: string): LabelOption[] {
  const { name, values, values_total: count } = key;
  const option = (value: string): LabelOption => ({ kind: "value", name, value });
  const listed = [...values.map(({ value }) => value), ""]
    .map(option)
    .filter((each) => optionText(each).toLowerCase().includes(typed.toLowerCase()));
  const isUnlisted = typed !== "" && count > values.length && values.every(({ value }) => value !== typed);
  return isUnlisted ? [...listed, option(typed)] : listed;
}
