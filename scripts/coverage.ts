/** A row of a table that names tests as proof. */
export interface ProvenRow {
  readonly line: number;
  /** A text of the product, if the row is about one. */
  readonly text: string | undefined;
  readonly proofs: readonly { readonly path: string; readonly titles: readonly string[] }[];
}

const proofHead = /^\| (?:part|text|constant) \| proof \|$/;
const proof = /`([^`]+\.test\.tsx?)`(?:: ((?:"[^"]+"(?:, )?)+))?/g;

/** The rows of the tables of parts, texts and constants in the coverage of the specification. */
export function provenRows(markdown: string): ProvenRow[] {
  const rows: ProvenRow[] = [];
  let isInTable = false;
  for (const [index, row] of markdown.split("\n").entries()) {
    if (proofHead.test(row)) isInTable = true;
    else if (!row.startsWith("|")) isInTable = false;
    else if (isInTable && !row.startsWith("|---")) rows.push(toRow(row, index + 1));
  }
  return rows;
}

function toRow(row: string, line: number): ProvenRow {
  const cells = row.replace(/^\| | \|$/g, "");
  const end = cells.indexOf(" | ");
  return {
    line,
    text: /^'(.+)'$/.exec(cells.slice(0, end))?.[1],
    proofs: [...cells.slice(end).matchAll(proof)].map(([, path = "", titles = ""]) => ({
      path,
      titles: [...titles.matchAll(/"([^"]+)"/g)].map((match) => match[1] ?? ""),
    })),
  };
}

/** The missing parts: a proof, a file, a title in its file, or a quoted text in the first file. */
export function missingProofs(
  rows: readonly ProvenRow[],
  read: (path: string) => string | undefined,
): string[] {
  return rows.flatMap(({ line, text, proofs }) => {
    if (proofs.length === 0) return [`line ${line} names no test`];
    return proofs.flatMap(({ path, titles }, at) => {
      const content = read(path);
      if (content === undefined) return [`line ${line}: ${path} does not exist`];
      const wanted = [...titles, ...(at === 0 && titles.length === 0 && text !== undefined ? [text] : [])];
      return wanted
        .filter((each) => !content.includes(each))
        .map((each) => `line ${line}: ${path} has no "${each}"`);
    });
  });
}
