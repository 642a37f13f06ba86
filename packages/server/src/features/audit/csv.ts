const special = /[",\r\n]/;
/** Spreadsheets take cells with such a beginning for formulas, some of them behind characters without a shape. */
const formula = /^\p{Cf}*[=+\-@\t\r]/u;

/** A line of CSV (RFC 4180). Cells that would be formulas begin with an apostrophe (OWASP, CSV injection). */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => quoted(harmless(cell ?? ""))).join(",")}\r\n`;
}

function harmless(cell: string): string {
  return formula.test(cell) ? `'${cell}` : cell;
}

function quoted(cell: string): string {
  return special.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
