/** The line of `perf script` that begins a sample. Which parts it has depends on the option `-F`. */
export interface EventLine {
  readonly command: string;
  readonly pid: string | undefined;
  readonly tid: string | undefined;
  readonly seconds: number | undefined;
  readonly period: number | undefined;
  /** `cycles`, without modifiers; undefined where the line names none. */
  readonly event: string | undefined;
  /** The rest of the line: without stacks, the address and symbol of the instruction. */
  readonly rest: string;
}

const process = /^(\d{1,10})(?:\/(-?\d{1,10}))?$/;
const time = /^\d{1,12}\.\d{1,9}:$/;
const number = /^\d{1,19}$/;
const modifiers = /:[ukhpPGHSDWeI]{1,6}$/;
/** Command, process, processor, flags, time, period and event; a command has at most 16 characters. */
const wordsMax = 24;

/** Undefined for a line that begins no sample. */
export function eventLine(line: string): EventLine | undefined {
  const words = line.trim().split(/\s+/, wordsMax);
  const timeAt = words.findIndex((word) => time.test(word));
  const processAt = words.findLastIndex(
    (word, at) =>
      at > 0 && (timeAt < 0 || at < timeAt) && process.test(word) && (timeAt >= 0 || isEventAfter(words, at)),
  );
  if (processAt < 0 && timeAt < 0) return commandOnly(line, words);
  const command = words.slice(0, processAt < 0 ? undefined : processAt).join(" ");
  const [, pid, tid] = process.exec(words[processAt] ?? "") ?? [];
  const from = Math.max(timeAt, processAt) + 1;
  const hasPeriod = number.test(words[from] ?? "");
  const name = words[hasPeriod ? from + 1 : from] ?? "";
  const isNamed = name.endsWith(":") && name.length > 1;
  if (!isNamed && timeAt < 0) return undefined;
  return {
    command,
    pid: tid === undefined ? undefined : pid,
    tid: tid ?? pid,
    seconds: timeAt < 0 ? undefined : Number.parseFloat(words[timeAt]!),
    period: hasPeriod ? Number(words[from]) : undefined,
    event: isNamed ? name.slice(0, -1).replace(modifiers, "") : undefined,
    rest: isNamed ? line.slice(line.indexOf(` ${name}`) + name.length + 1) : "",
  };
}

/** Without a time, the event comes next, or after its period. */
function isEventAfter(words: readonly string[], at: number): boolean {
  return [words[at + 1], words[at + 2]].some((word) => word?.endsWith(":") === true);
}

/** With `-F comm,ip,sym`, only the command is there. */
function commandOnly(line: string, words: readonly string[]): EventLine | undefined {
  if (/^\s/.test(line) || words.length > 4 || /[;:()]/.test(line)) return undefined;
  const nothing = { pid: undefined, tid: undefined, seconds: undefined, period: undefined, event: undefined };
  return { ...nothing, command: words.join(" "), rest: "" };
}
