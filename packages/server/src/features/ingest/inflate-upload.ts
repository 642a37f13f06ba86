import { compressionOf, inflate } from "#decoding/inflate.ts";
import { free } from "#memory/free.ts";
import { accepted, type Outcome, refused } from "./refusal.ts";

export interface InflatedUpload {
  readonly raw: Uint8Array;
  /** The upload with one layer of compression at most, to be stored: `body` itself, or memory of its own. */
  readonly kept: Uint8Array;
}

/**
 * What is inside an upload's body, at most `bytesMax` bytes of it over all layers.
 *
 * @param isEncoded whether the sending compressed it, by its `Content-Encoding`: clients that compress what they send do so
 *   with a gzipped profile too. That layer is not kept. Where it is not said, gzip within gzip is no profile, as for Go.
 */
export function inflateUpload(
  body: Uint8Array,
  bytesMax: number,
  isEncoded = false,
): Outcome<InflatedUpload> {
  const once = layer(body, bytesMax, bytesMax);
  if (!once.ok) return once;
  if (!isEncoded || once.value === body || compressionOf(once.value) === undefined) {
    return accepted({ raw: once.value, kept: body });
  }
  const twice = layer(once.value, bytesMax - once.value.length, bytesMax);
  if (!twice.ok) return twice;
  if (compressionOf(twice.value) !== undefined) {
    return refused(
      "invalid",
      "compression",
      "The upload is compressed more than twice. Send it compressed once, or as it is.",
    );
  }
  // Small results of zlib share their memory with others.
  const kept = Uint8Array.from(once.value);
  free(once.value);
  return accepted({ raw: twice.value, kept });
}

function layer(body: Uint8Array, bytesLeft: number, bytesMax: number): Outcome<Uint8Array> {
  const inside = inflate(body, bytesLeft);
  if (inside.ok) return accepted(inside.bytes);
  if (inside.reason === "damaged") return refused("invalid", "compression", inside.message);
  return refused(
    "too_large",
    "inflated_bytes",
    `The upload is larger than ${bytesMax} bytes when decompressed. Send less in one request, or raise INGEST_MAX_INFLATED_BYTES on the server.`,
  );
}
