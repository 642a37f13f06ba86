import type { TagOfRange } from "@flamekeep/contract";

/** A tag with one of its values, as a choice. */
export interface TagOption {
  readonly name: string;
  readonly value: string;
  /** Undefined for a chosen one that does not occur. */
  readonly profiles?: number;
}

/** `region: eu` */
export function optionText({ name, value }: TagOption): string {
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
