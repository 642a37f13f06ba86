import { accepted, type Outcome, refused } from "#ingest/refusal.ts";

export interface Part {
  readonly name: string;
  readonly filename: string | undefined;
  readonly body: Uint8Array;
}

const partsMax = 16;
const headerBytesMax = 8 * 1024;

/** The boundary of a multipart/form-data Content-Type, undefined for any other. */
export function boundaryOf(contentType: string | undefined): string | undefined {
  if (contentType === undefined || !/^multipart\/form-data\b/i.test(contentType)) return undefined;
  const match = /;\s*boundary=(?:"([^"]{1,70})"|([^;\s"]{1,70}))/i.exec(contentType);
  return match?.[1] ?? match?.[2];
}

/** The parts of a whole multipart/form-data body (RFC 7578), as views into it. */
export function splitMultipart(body: Uint8Array, boundary: string): Outcome<Part[]> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const opening = Buffer.from(`--${boundary}`);
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const first = bytes.indexOf(opening);
  if (first < 0) return malformed("its boundary does not occur in the body");
  const found: Part[] = [];
  let at = first + opening.length;
  while (!isClosing(bytes, at)) {
    if (found.length === partsMax) return malformed(`it has more than ${partsMax} parts`);
    const headerStart = bytes.indexOf("\r\n", at);
    if (headerStart < 0) return malformed("it ends within a boundary");
    const headerEnd = bytes.indexOf("\r\n\r\n", headerStart);
    if (headerEnd < 0 || headerEnd - headerStart > headerBytesMax) {
      return malformed("a part has no end of headers");
    }
    const end = bytes.indexOf(delimiter, headerEnd + 2);
    if (end < 0) return malformed("the closing boundary is missing: the upload was cut off");
    const header = bytes.toString("utf8", headerStart, headerEnd);
    const name = parameter(header, "name");
    if (name === undefined) return malformed("a part has no name");
    const bodyStart = Math.min(headerEnd + 4, end);
    found.push({ name, filename: parameter(header, "filename"), body: bytes.subarray(bodyStart, end) });
    at = end + delimiter.length;
  }
  return accepted(found);
}

function isClosing(bytes: Buffer, at: number): boolean {
  return bytes[at] === 0x2d && bytes[at + 1] === 0x2d;
}

function parameter(header: string, name: string): string | undefined {
  const disposition = /^content-disposition:([^\r\n]*)/im.exec(header)?.[1];
  const match = disposition && new RegExp(`;\\s*${name}=(?:"([^"]*)"|([^;\\s]+))`, "i").exec(disposition);
  return match ? (match[1] ?? match[2]) : undefined;
}

function malformed(what: string): Outcome<never> {
  return refused("invalid", "multipart", `The multipart body cannot be read: ${what}.`);
}
