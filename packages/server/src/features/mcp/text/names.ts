import { readableLine } from "@flamekeep/contract";

const nameLengthMax = 256;

/** A name from a profiled program on one line, without hidden characters, of bounded length. */
export function printableName(name: string): string {
  const line = readableLine(name);
  return line.length <= nameLengthMax ? line : `${line.slice(0, nameLengthMax)}…`;
}
