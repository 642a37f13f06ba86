import { type ReadLimits, truncatedName } from "#model/limits.ts";
import type { Profile } from "#model/profile.ts";
import { Refusal } from "#model/profile-error.ts";
import { decodeText } from "#wire/wire-reader.ts";
import { forEachLine, type LineLabels, StackLines } from "#write/stack-lines.ts";

/** Go writes far shorter lines; each fact and label of a header takes many times its length. */
const lineLengthMax = 64 * 1024;

/**
 * All goroutines of a Go program as text (`debug=2`, panics, SIGQUIT), from Go's runtime/traceback.go:
 *
 * ```
 * goroutine 70 [chan receive, 5 minutes, locked to thread] {route: /checkout}:   state, minutes from the first on, labels since Go 1.27
 * main.leak(0xc000010018?)                                                       leaf first
 * 	/path/main.go:33 +0x24
 * ...54 frames elided...
 * created by main.main in goroutine 1
 * 	/path/main.go:52 +0x4e
 * ```
 *
 * A goroutine is a sample. Its state, minutes of waiting, creator and labels are labels of the sample. Lines of any other form are skipped.
 */
export function readGoroutineDump(bytes: Uint8Array, limits: ReadLimits): Profile {
  const stacks = new StackLines(1, limits);
  let open: Goroutine | undefined;
  const close = () => {
    if (open !== undefined) stacks.add(open.frames, [1], labelsOf(open, limits));
    open = undefined;
  };
  forEachLine(decodeText(bytes), (line, offset) => {
    if (line.length > lineLengthMax) {
      const message = `Line of the goroutine dump with more than ${lineLengthMax} characters.`;
      throw new Refusal("invalid", message, "line", offset);
    }
    if (line.startsWith("goroutine ") && line.includes(" [")) {
      close();
      open = { header: line, frames: [], call: undefined, creator: undefined, isOfAncestor: false };
    } else if (line === "") close();
    else if (open !== undefined) addLine(open, line, stacks);
  });
  close();
  const goroutine = { type: "goroutine", unit: "count" };
  return stacks.profile([goroutine], { periodType: goroutine, period: 1n });
}

interface Goroutine {
  readonly header: string;
  readonly frames: number[];
  /** The function whose place the next line has. */
  call: string | undefined;
  creator: string | undefined;
  /** Whether the lines are of the stack of a goroutine that created this one (`GODEBUG=tracebackancestors`). */
  isOfAncestor: boolean;
}

const elided = /^\.\.\.(?:additional|\d+) frames elided\.\.\.$/;

function addLine(goroutine: Goroutine, line: string, stacks: StackLines): void {
  if (goroutine.isOfAncestor) return;
  if (line.startsWith("\t")) {
    const { call } = goroutine;
    goroutine.call = undefined;
    // Go leaves the function that ends every goroutine out of profiles.
    if (call !== undefined && call !== "runtime.goexit")
      goroutine.frames.push(stacks.frame({ name: call, ...placeOf(line) }));
  } else if (line.startsWith("created by ")) {
    const end = line.indexOf(" in goroutine ");
    goroutine.creator = line.slice("created by ".length, end < 0 ? undefined : end);
    goroutine.call = undefined;
  } else if (line.startsWith("[originating from goroutine ")) goroutine.isOfAncestor = true;
  else if (elided.test(line)) goroutine.frames.push(stacks.frame({ name: truncatedName, file: "", line: 0 }));
  else goroutine.call = functionOf(line);
}

/** `main.(*Server).serve(0xc000010018?, {0x1, 0x2})` without the arguments; functions of C have none. */
function functionOf(line: string): string | undefined {
  if (line.endsWith(")")) return line.slice(0, line.lastIndexOf("("));
  return line.includes("(") ? undefined : line;
}

/** `\t/path/main.go:33 +0x24 fp=0xc000 sp=0xc000 pc=0x47ec79` */
function placeOf(line: string): { file: string; line: number } {
  const colon = line.lastIndexOf(":");
  if (colon < 0) return { file: "", line: 0 };
  return { file: line.slice(1, colon), line: Number.parseInt(line.slice(colon + 1), 10) | 0 };
}

function labelsOf({ header, creator }: Goroutine, { labelsPerSample }: ReadLimits): LineLabels {
  const start = header.indexOf(" [") + 2;
  const end = firstOf(header, start, ["]", " labels:{"]);
  const [state = "", ...facts] = header.slice(start, end).split(", ");
  const minutes = facts
    .map((fact) => /^(\d{1,9}) minutes$/.exec(fact)?.[1])
    .find((found) => found !== undefined);
  return {
    state: state.replace(" (scan)", ""),
    ...(minutes !== undefined && { wait_minutes: minutes }),
    ...(facts.includes("locked to thread") && { locked_to_thread: "true" }),
    ...(creator !== undefined && { created_by: creator }),
    // One more than are kept, so that the trimming is counted.
    ...labelsIn(header, end, labelsPerSample + 1),
  };
}

function firstOf(text: string, from: number, ends: readonly string[]): number {
  const found = ends.map((end) => text.indexOf(end, from)).filter((at) => at >= 0);
  return Math.min(text.length, ...found);
}

/** A key or value: as it is, or in quotes where it has characters that need them. */
const token = /"((?:[^"\\]|\\.)*)"|([^\s",:{}]*)/y;

/** `{route: /checkout, "user name": "Zo\u00eb"}`. Go 1.26 has them in the brackets of the state, later versions behind. */
function labelsIn(header: string, from: number, max: number): LineLabels {
  const brace = header.indexOf("{", from);
  const labels: [string, string][] = [];
  for (let at = brace + 1; brace >= 0 && labels.length < max; ) {
    const key = tokenAt(header, at);
    if (key === undefined || !header.startsWith(": ", key.end)) break;
    const value = tokenAt(header, key.end + 2);
    if (value === undefined) break;
    labels.push([key.text, value.text]);
    if (!header.startsWith(", ", value.end)) break;
    at = value.end + 2;
  }
  return Object.fromEntries(labels);
}

function tokenAt(text: string, at: number): { text: string; end: number } | undefined {
  token.lastIndex = at;
  const [, quoted, plain] = token.exec(text) ?? [];
  if (quoted === undefined && plain === undefined) return undefined;
  return { text: plain ?? unescaped(quoted ?? ""), end: token.lastIndex };
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

function unescaped(text: string): string {
  return text.replaceAll(
    /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U(000[0-9a-f]{5}|0010[0-9a-f]{4})|(.))/g,
    (_, ...groups) => {
      const [two, four, eight, letter] = groups as (string | undefined)[];
      const code = two ?? four ?? eight;
      return code === undefined
        ? (escapes[letter ?? ""] ?? letter ?? "")
        : String.fromCodePoint(Number.parseInt(code, 16));
    },
  );
}
