/** The JSON text of each column's value, in the order of the columns. */
type Texts<T> = Readonly<Record<string, (row: T) => string>>;

export interface LineColumns<S, R> {
  readonly names: readonly string[];
  /** The start of every line with these shared values. */
  startOf(shared: S): string;
  /** A line without its end, which is `lineEnd` or further columns. */
  lineOf(start: string, row: R): string;
}

export const lineEnd = "]\n";

/** A table whose rows are lines of JSON: first the columns that many rows share, then those of each row. */
export function lineColumns<S, R>(shared: Texts<S>, ofRow: Texts<R>): LineColumns<S, R> {
  const texts = Object.values(ofRow);
  return {
    names: [...Object.keys(shared), ...Object.keys(ofRow)],
    startOf: (values) =>
      `[${Object.values(shared)
        .map((text) => text(values))
        .join()}`,
    lineOf(start, row) {
      let line = start;
      for (const text of texts) line += `,${text(row)}`;
      return line;
    },
  };
}

export function jsonText(text: string): string {
  return JSON.stringify(text.toWellFormed());
}
