import { forEachLine, type LineFrame } from "#write/stack-lines.ts";
import type { AddressStacks } from "./address-stacks.ts";

const lineLengthMax = 64 * 1024;

/** The functions of locations, which a legacy profile of Java has at its end: `0x00000097 com.example.Shop.sell (Shop.java:197)`. */
export function javaFunctions(text: string, stacks: AddressStacks): Map<number, LineFrame> {
  const functions = new Map<number, LineFrame>();
  const fileOf = new Map<string, string>();
  forEachLine(text, (line) => {
    if (line.length > lineLengthMax) return;
    const [, address, rest] = /^0x([0-9a-f]{1,16})\s(.+)$/i.exec(line.trim()) ?? [];
    const location = address === undefined ? undefined : stacks.find(address);
    if (location === undefined || rest === undefined) return;
    const frame = frameOf(rest.trim());
    // Functions of one name are one, whatever their files.
    const file = fileOf.get(frame.name) ?? frame.file;
    fileOf.set(frame.name, file);
    functions.set(location, { ...frame, file });
  });
  return functions;
}

/** A place is a file with a line, or the path of a library, whose name is enough. */
function frameOf(text: string): LineFrame {
  const open = text.endsWith(")") ? text.lastIndexOf(" (") : -1;
  if (open < 0) return { name: text.includes("generated stub/JIT") ? "STUB" : text, file: "", line: 0 };
  const name = text.slice(0, open).trim();
  const place = text.slice(open + 2, -1);
  const colon = place.lastIndexOf(":");
  const number = colon < 0 ? "" : place.slice(colon + 1);
  if (/^-?\d{1,18}$/.test(number)) {
    const line = Number(number);
    return { name, file: place.slice(0, colon), line: line > 0 && line < 2 ** 31 ? line : 0 };
  }
  return { name, file: place.slice(place.lastIndexOf("/") + 1), line: 0 };
}
