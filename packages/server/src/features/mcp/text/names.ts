import { readableLine } from "@flamekeep/contract/readable";

const nameLengthMax = 256;

/** A name from a profiled program on one line, without hidden characters, of bounded length. */
export function printableName(name: string): string {
  const line = readableLine(name);
  return line.length <= nameLengthMax ? line : `${line.slice(0, nameLengthMax)}…`;
}

/** ` (file:line)`: empty without a file. */
export function placeText(file: string, line: number): string {
  return file === "" ? "" : ` (${printableName(file)}${line > 0 ? `:${line}` : ""})`;
}
