import { accepted, type Outcome, refused } from "#ingest/upload/refusal.ts";
import { compressionOf } from "#stacks/inflate.ts";

export interface Part {
  readonly name: string;
  readonly filename: string | undefined;
  readonly body: Uint8Array;
}

const headerBytesMax = 8 * 1024;

/** The boundary of a multipart/form-data Content-Type, undefined for any other. */
export function boundaryOf(contentType: string | undefined): string | undefined {
  if (contentType === undefined || !/^multipart\/form-data\b/i.test(contentType)) return undefined;
  const match = /;\s*boundary=(?:"([^"]{1,70})"|([^;\s"]{1,70}))/i.exec(contentType);
  return match?.[1] ?? match?.[2];
}

/** The parts of a whole multipart/form-data body (RFC 7578), as views into it. */
export function splitMultipart(
  body: Uint8Array,
  boundary: string,
  partsMax = 16,
  tooManyParts = `it has more than ${partsMax} parts`,
): Outcome<Part[]> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const opening = Buffer.from(`--${boundary}`);
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const first = bytes.indexOf(opening);
  if (first < 0) {
    const isCompressed = compressionOf(body) !== undefined;
    return malformed(
      isCompressed
        ? "it is compressed. Compress its parts instead"
        : "its boundary does not occur in the body. Let your client set the Content-Type",
    );
  }
  const found: Part[] = [];
  let at = first + opening.length;
  while (!isClosing(bytes, at)) {
    if (found.length === partsMax) return malformed(tooManyParts);
    const headerStart = bytes.indexOf("\r\n", at);
    if (headerStart < 0) return malformed("it ends within a boundary");
    const headerEnd = bytes.indexOf("\r\n\r\n", headerStart);
    if (headerEnd < 0 || headerEnd - headerStart > headerBytesMax) {
      return malformed("a part has no end of headers");
    }
    const end = bytes.indexOf(delimiter, headerEnd + 2);
    if (end < 0) return malformed("the closing boundary is missing: the upload was cut off");
    const header = bytes.toString("utf8", headerStart, headerEnd);
    const disposition = /^content-disposition:([^\r\n]*)/im.exec(header)?.[1] ?? "";
    const name = parameter(disposition, "name");
    if (name === undefined) return malformed("a part has no name");
    const bodyStart = Math.min(headerEnd + 4, end);
    found.push({ name, filename: filenameOf(disposition), body: bytes.subarray(bodyStart, end) });
    at = end + delimiter.length;
  }
  return accepted(found);
}

function isClosing(bytes: Buffer, at: number): boolean {
  return bytes[at] === 0x2d && bytes[at + 1] === 0x2d;
}

/** Browsers write `"` in a name as `%22`, and other clients as `\"`. */
function parameter(disposition: string, name: string): string | undefined {
  const value = `(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\s]+))`;
  const match = new RegExp(`;\\s*${name}=${value}`, "i").exec(disposition);
  return (
    match?.[1]?.replace(/\\(["\\])|%22/g, (_, escaped: string | undefined) => escaped ?? '"') ?? match?.[2]
  );
}

/** The name in UTF-8 (RFC 8187) where a part has it, else the plain one. A part with an unreadable name is a file too. */
function filenameOf(disposition: string): string | undefined {
  const extended = parameter(disposition, "filename\\*");
  const [, encoded] = /^utf-8'[^']*'(.*)$/i.exec(extended ?? "") ?? [];
  return (encoded ? percentDecoded(encoded) : undefined) ?? parameter(disposition, "filename") ?? extended;
}

function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

function malformed(what: string): Outcome<never> {
  return refused("invalid", "multipart", `The multipart body cannot be read: ${what}.`);
}
