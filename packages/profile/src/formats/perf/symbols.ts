import type { TextBytes } from "#memory/text-bytes.ts";
import type { PprofStacks } from "#write/pprof-stacks.ts";
import type { LineFrame } from "#write/stack-lines.ts";

const [tab, space, closing, plus] = [0x09, 0x20, 0x29, 0x2b] as const;
const [colon, semicolon, letterL, bracket] = [0x3a, 0x3b, 0x4c, 0x5b] as const;
const addressMax = 16;
const indentMax = 64;
/** In it, a colon may end what Node.js writes before the name of a function. */
const kindMax = 12;

/** The frame of a line such as `\t  40ff main+0x1f (/srv/shop)` in ASCII; undefined for any other, which `framesOfSymbol` reads. */
export function simpleFrame(
  text: TextBytes,
  start: number,
  end: number,
  stacks: PprofStacks,
): number | undefined {
  const { bytes } = text;
  const from = symbolAt(bytes, start);
  if (from === undefined || bytes[end - 1] !== closing || bytes[end - 2] === closing) return undefined;
  let open = end - 2;
  while (open > from && !text.startsWith(" (", open, end)) open--;
  if (open <= from || !isSimple(bytes, from, end)) return undefined;
  const symbolEnd = text.trimmedEnd(from, open);
  const offset = text.findLast(plus, plus, from, symbolEnd);
  const hasOffset = offset > from && text.startsWith("+0x", offset, symbolEnd);
  if (hasOffset && !isAddress(bytes, offset + 3, symbolEnd)) return undefined;
  const to = hasOffset ? offset : symbolEnd;
  const kindEnd = Math.min(to, from + kindMax);
  const isOfKind = bytes[from] === bracket || text.find(colon, from, kindEnd) < kindEnd;
  if (isOfKind || (bytes[from] === letterL && text.find(semicolon, from, to) < to)) return undefined;
  return stacks.frame(stacks.writer.copied(text, from, to));
}

/** Where the symbol is in a line; undefined for a line without an address before it. */
function symbolAt(bytes: Uint8Array, start: number): number | undefined {
  let from = start;
  while (from - start < indentMax && isBlank(bytes[from])) from++;
  const address = from;
  while (isHex(bytes[from])) from++;
  if (!isAddress(bytes, address, from) || bytes[from] !== space) return undefined;
  while (isBlank(bytes[from])) from++;
  return from;
}

function isAddress(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (!isHex(bytes[at])) return false;
  return to > from && to - from <= addressMax;
}

/** Whether the bytes are in ASCII without the end of a time, which only lines of events have. */
function isSimple(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const byte = bytes[at];
    if (byte < space || byte > 0x7e) return false;
    if (byte === colon && bytes[at - 1] >= 0x30 && bytes[at - 1] <= 0x39) return false;
  }
  return true;
}

function isBlank(byte: number): boolean {
  return byte === space || byte === tab;
}

function isHex(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66);
}

/** `vfs_read+0x1f (/lib/vmlinux)`: the symbol, and the file that has it, which may be missing. */
export function framesOfSymbol(line: string): LineFrame[] {
  const text = line.endsWith(" (deleted))") ? `${line.slice(0, -" (deleted))".length)})` : line;
  const open = text.endsWith(")") ? text.lastIndexOf(" (") : -1;
  const symbol = (open < 0 ? text : text.slice(0, open)).trim();
  const object = open < 0 ? "" : text.slice(open + 2, -1);
  const at = symbol.lastIndexOf("+0x");
  const name = at > 0 && /^\+0x[0-9a-f]{1,16}$/.test(symbol.slice(at)) ? symbol.slice(0, at) : symbol;
  if (name === "[unknown]" || name === "") return [{ name: nameOfObject(object), file: "", line: 0 }];
  if (name.startsWith("L") && name.includes(";")) return name.split("->").reverse().map(javaMethod);
  return [scriptFunction(name) ?? { name, file: "", line: 0 }];
}

/** As in stackcollapse-perf.pl. Files of symbols of a process are named after its number. */
function nameOfObject(object: string): string {
  if (object === "" || object.startsWith("[")) return object || "[unknown]";
  const name = object.slice(object.lastIndexOf("/") + 1);
  return /^perf-\d{1,10}\.map$/.test(name) ? "[unknown]" : `[${name}]`;
}

/** `Ljava/util/HashMap;::get` of perf-map-agent as `java/util/HashMap.get`, as recordings of Java have it. */
function javaMethod(text: string): LineFrame {
  const [, type, method] = /^L([^;]{1,1000});(?:::|\.)?([^(]{0,1000})/.exec(text) ?? [];
  const name = type === undefined ? text : method ? `${type}.${method}` : type;
  return { name, file: "", line: 0 };
}

/** `LazyCompile:*render /app/view.js:12:4` of Node.js with --perf-basic-prof; the mark says how it was compiled. */
function scriptFunction(text: string): LineFrame | undefined {
  const kind = /^(?:LazyCompile|Function|JS|Script|Eval):[*~^+]?/.exec(text)?.[0];
  if (kind === undefined) return undefined;
  const rest = text.slice(kind.length);
  const space = rest.indexOf(" ");
  const name = (space < 0 ? rest : rest.slice(0, space)) || "(anonymous)";
  const [, file = "", line = "0"] =
    /^([^:]{1,4000}|[a-z]{2,8}:[^:]{1,4000}):(\d{1,9})(?::\d{1,9})?$/.exec(rest.slice(space + 1)) ?? [];
  return { name, file: space < 0 ? "" : file, line: space < 0 ? 0 : Number(line) };
}
