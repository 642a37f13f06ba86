import { type Kind, ReadRefusal, refusalOf, sniff, WireReader } from "@flamekeep/profile";

/** Kinds of text that may be a batch of metrics with a fault in it. */
const textKinds: readonly Kind[] = ["json", "text", "base64", "collapsed", "empty", "unknown"];
const wanted = "Send HTTP metrics as a JSON array, or one JSON object a line.";

/** Names the content of a body that should be HTTP metrics and where to send it; undefined if it is not recognised. */
export function otherContent(body: Uint8Array): string | undefined {
  const kind = sniff(body);
  if (kind === "pprof") {
    return isPprof(body)
      ? "The body is a pprof profile, not HTTP metrics: send it to /api/v1/ingest/profiles."
      : `The body is binary (protobuf or similar), not HTTP metrics. ${wanted}`;
  }
  if (kind === "html") {
    return `The body is an HTML page, not HTTP metrics. It is probably an error or a login page: check what made the body. ${wanted}`;
  }
  if (textKinds.includes(kind)) return undefined;
  const name = /this is (.+?)\. /.exec(refusalOf(kind) ?? "")?.[1];
  return name === undefined ? undefined : `The body is ${name}, not HTTP metrics. ${wanted}`;
}

/** Tag of the string table, whose first entry is empty. */
const stringTableTag = 6 * 8 + 2;

/** Whether the bytes are a complete protobuf message with a string table like pprof's. Nothing else is checked. */
function isPprof(body: Uint8Array): boolean {
  const wire = new WireReader(body);
  const end = body.length;
  let strings = 0;
  try {
    while (wire.pos < end) {
      const tag = wire.tag(end);
      if (tag !== stringTableTag) {
        wire.other(tag, end, "profile", []);
        continue;
      }
      const to = wire.block(end, "string_table");
      if (strings++ === 0 && to > wire.pos) return false;
      wire.pos = to;
    }
  } catch (error) {
    if (error instanceof ReadRefusal) return false;
    throw error;
  }
  return strings > 0;
}
