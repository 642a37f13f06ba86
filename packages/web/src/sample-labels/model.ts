import type { ProfileLabels, SampleLabel } from "@flamekeep/contract";

/** Labels of samples by name; an empty value is for samples without the label. */
export type Labels = Readonly<Record<string, string>>;

export const noLabels: Labels = {};

/** Chosen tags or labels in words: `region: eu`, `without handler`. */
export function chosenTexts(chosen: Labels): string[] {
  return Object.entries(chosen).map(([name, value]) =>
    value === "" ? `without ${name}` : `${name}: ${value}`,
  );
}

/** Label filters as query parameters: `handler:/checkout`. */
export function labelParams(labels: Labels): { labels?: string[] } {
  const entries = Object.entries(labels);
  return entries.length === 0 ? {} : { labels: entries.map(([name, value]) => `${name}:${value}`) };
}

/** The filter with this value of a label, or without it if it has that; undefined for none. */
export function toggled(labels: Labels, name: string, value: string): Labels | undefined {
  const { [name]: current, ...others } = labels;
  const next = current === value ? others : { ...others, [name]: value };
  return Object.keys(next).length === 0 ? undefined : next;
}

/** The values of a label, and the sum over all of them, listed or not. */
export type LabelTotals = Pick<SampleLabel, "name" | "total" | "values">;

export interface LabelRow {
  readonly id: string;
  readonly text: string;
  /** Undefined if no filter selects the samples. */
  readonly value: string | undefined;
  readonly total: number;
  /** The part of all samples, 0 to 1. */
  readonly share: number;
}

/** The part of the total with this value of a label, 0 to 1; undefined if the value is not listed. */
export function shareOf({ keys, total }: ProfileLabels, name: string, value: string): number | undefined {
  const label = keys.find((key) => key.name === name);
  return label && rowsOf(label, total).find((row) => row.value === value)?.share;
}

/** The rows of a label: its values, further values together, and samples without it. They sum to `total`. */
export function rowsOf(label: LabelTotals, total: number): LabelRow[] {
  const listed = label.values.reduce((sum, { total: each }) => sum + each, 0);
  const row = (id: string, text: string, value: string | undefined, of: number): LabelRow => ({
    id,
    text,
    value,
    total: of,
    share: total > 0 ? of / total : 0,
  });
  const further = label.total - listed;
  const without = total - label.total;
  return [
    ...label.values.map(({ value, total: of }) => row(`=${value}`, value, value, of)),
    ...(further > 0 ? [row("further", "Further values, folded or not listed", undefined, further)] : []),
    ...(without > 0 ? [row("without", `Without ${label.name}`, "", without)] : []),
  ];
}
