import { Combobox } from "@base-ui/react/combobox";
import type { ProfileLabels } from "@flamekeep/contract";
import { ListFilter } from "lucide-react";
import { useState } from "react";
import { percentText } from "#format/number.ts";
import { Chip, ChipInput, Option, OptionList } from "#ui/controls/chip-combobox.tsx";
import type { FieldStart } from "#ui/controls/chip-field.tsx";
import { type Labels, shareOf } from "./model.ts";

interface LabelComboboxProps {
  /** All labels of the samples; undefined while they load. */
  readonly found: ProfileLabels | undefined;
  readonly labels: Labels;
  readonly onChange: (labels: Labels | undefined) => void;
  /** Accessible name of the field. */
  readonly label: string;
  readonly start: FieldStart;
}

const shownMax = 200;

type ChangeDetails = Pick<Combobox.Root.ChangeEventDetails, "reason" | "cancel">;

/** Completes the name of a label, then its value. */
export function LabelCombobox({ found, labels, onChange, label, start }: LabelComboboxProps) {
  const [isOpen, setOpen] = useState(start.isOpen);
  const [text, setText] = useState(start.text);
  const chosen = optionsOf(labels);
  const keys = found?.keys ?? [];

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
      <ChipInput
        icon={ListFilter}
        label={label}
        isActive={start.hasFocus}
        placeholder={chosen.length === 0 ? "Filter by labels" : ""}
        className="min-w-38"
      >
        <LabelChips found={found} labels={labels} />
      </ChipInput>
      <OptionList empty={found === undefined ? "Loading labels..." : "No label of these samples matches."}>
        {(option: LabelOption) => (
          <Option key={`${option.kind} ${optionText(option)}`} value={option}>
            <span className="min-w-0 flex-1 truncate">{optionText(option)}</span>
          </Option>
        )}
      </OptionList>
    </Combobox.Root>
  );
}

function LabelChips({ found, labels }: Pick<LabelComboboxProps, "found" | "labels">) {
  return Object.entries(labels).map(([name, value]) => (
    <LabelChip key={name} text={filterText(name, value)} share={found && shareOf(found, name, value)} />
  ));
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
    <Chip name={name} removeLabel={`Remove ${text}`} className="max-w-64">
      <span className="truncate">{text}</span>
      {percent && <span className="shrink-0 text-muted tabular-nums">{percent}</span>}
    </Chip>
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
