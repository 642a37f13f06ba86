const special = /[",\r\n]/;

/**
 * Spreadsheets take cells with such a beginning for formulas: some also behind characters without a shape, and some the
 * full-width signs that Chinese and Japanese keyboards type.
 */
const formula = /^\p{Cf}*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/u;

/** A line of CSV (RFC 4180). Text cells that would be formulas begin with an apostrophe (OWASP, CSV injection); numbers stay numbers. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cellText).join(",")}\r\n`;
}

function cellText(cell: string | number | null): string {
  if (typeof cell !== "string") return cell === null ? "" : String(cell);
  const harmless = formula.test(cell) ? `'${cell}` : cell;
  return special.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
