import type { ProfileLabels } from "@flamekeep/contract";
import type { Labels } from "./model.ts";

/** A choice of the label filter: a label whose values come next, or one of its values. */
export type LabelOption =
  | { readonly kind: "name"; readonly name: string }
  /** An empty value is for samples without the label. */
  | { readonly kind: "value"; readonly name: string; readonly value: string };

/** `step: knead`, `without step` */
export function filterText(name: string, value: string): string {
  return value === "" ? `without ${name}` : `${name}: ${value}`;
}

/** The text of the filter once the label is chosen. */
export function nameText(name: string): string {
  return `${name}: `;
}

export function optionText(option: LabelOption): string {
  return option.kind === "name" ? nameText(option.name) : filterText(option.name, option.value);
}

export function isSameOption(a: LabelOption, b: LabelOption): boolean {
  return optionText(a) === optionText(b) && a.kind === b.kind;
}

export function optionsOf(labels: Labels): LabelOption[] {
  return Object.entries(labels).map(([name, value]) => ({ kind: "value", name, value }));
}

/** The filter of the options; undefined for none. A later option replaces an earlier one of the same label. */
export function labelsOf(options: readonly LabelOption[]): Labels | undefined {
  const values = options.filter((option) => option.kind === "value");
  return values.length === 0 ? undefined : Object.fromEntries(values.map(({ name, value }) => [name, value]));
}

/**
 * The labels whose name contains the text, then the values that do. After a name and a colon only values of that label; one that is
 * not listed may be typed if the label has more values than are listed. Case does not matter.
 */
export function matchingOptions(keys: ProfileLabels["keys"], text: string): LabelOption[] {
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
