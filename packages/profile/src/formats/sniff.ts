import { decodeText } from "#wire/wire-reader.ts";
import { formats, type Head, type Kind, type Read } from "./formats.ts";

export type { Kind } from "./formats.ts";

const sniffedBytes = 1024;
const [lineFeed, carriageReturn] = [0x0a, 0x0d] as const;
/** The character that decoding puts in place of bytes that are no UTF-8. */
const replaced = "\ufffd";

/** Identifies the format by its signature. Reads the first KiB only. */
export function sniff(bytes: Uint8Array): Kind {
  if (bytes.length === 0) return "empty";
  return formatOf(bytes)?.kind ?? (beginsAsPprof(bytes) ? "pprof" : "unknown");
}

/** How a format other than pprof is read; undefined where it is not. */
export function readerOf(bytes: Uint8Array): Read | undefined {
  const read = formatOf(bytes)?.read;
  if (read === undefined || !isOfOldMac(headOf(bytes))) return read;
  return (raw, limits) =>
    read(
      raw.map((byte) => (byte === carriageReturn ? lineFeed : byte)),
      limits,
    );
}

/** Whether lines end with a carriage return alone. The last one of the head may be half of an end. */
function isOfOldMac({ text, line }: Head): boolean {
  return line !== undefined && !text.includes("\n") && text.slice(0, -1).includes("\r");
}

function formatOf(bytes: Uint8Array) {
  const head = headOf(bytes);
  return formats.find(({ isIn }) => isIn(head));
}

/** Names the format by the first bytes: follows "this is". */
export function formatName(bytes: Uint8Array): string {
  return formatOf(bytes)?.name ?? "a pprof profile";
}

/** Names a format and what to send instead; undefined for an unknown format. */
export function refusalOf(kind: Exclude<Kind, "empty" | "pprof" | "unknown">): string;
export function refusalOf(kind: Kind): string | undefined;
export function refusalOf(kind: Kind): string | undefined {
  const format = formats.find((each) => each.kind === kind);
  return format && `Not a pprof profile: this is ${format.name}. ${format.advice}`;
}

function headOf(bytes: Uint8Array): Head {
  const text = decodeText(bytes.subarray(0, sniffedBytes));
  const head = { bytes, text, line: isText(text) ? text.trimStart() : undefined };
  return isOfOldMac(head) ? { ...head, line: head.line?.replaceAll("\r", "\n") } : head;
}

/** UTF-8 without control characters. Names of processes and functions may be in another encoding; the last character may be cut. */
function isText(head: string): boolean {
  if (head.startsWith(replaced)) return false;
  let others = 0;
  for (let i = 0; i < head.length; i++) {
    const code = head.charCodeAt(i);
    if (code === 0x7f || (code < 0x20 && code !== 9 && code !== 10 && code !== 13)) return false;
    if (head[i] === replaced && i < head.length - 1) others++;
  }
  return others <= head.length / 50;
}

/** Whether the first tag belongs to a field of a pprof profile. */
export function beginsAsPprof(bytes: Uint8Array): boolean {
  const tag = bytes[0];
  const field = tag >>> 3;
  const type = tag & 7;
  if (field < 1 || field > 15) return false;
  const isMessage = field <= 6 || field === 11;
  return type === (isMessage ? 2 : 0) || (field === 13 && type === 2);
}
