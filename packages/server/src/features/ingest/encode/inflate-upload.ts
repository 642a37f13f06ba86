import { accepted, type Outcome, refused } from "#ingest/upload/refusal.ts";
import { free } from "#memory/free.ts";
import { compressionOf, inflate } from "#stacks/inflate.ts";

/** Any upload may inflate to this many bytes, however small it is: a bomb of this size costs little. */
const anyRatioBytesMax = 16 * 1024 * 1024;
/** Ratio of inflated to compressed bytes beyond that size. Profiles compress 3:1 to 50:1; gzip allows 1032:1, and zstd far more. */
const ratioMax = 200;

/** How the request carried the upload. */
export interface Sending {
  /** Whether it was compressed for that, by its `Content-Encoding`. */
  readonly isEncoded: boolean;
  /** Largest upload that is taken, as it is kept. */
  readonly bodyBytesMax: number;
  /** Inflated bytes of the same request before this upload: they count towards its limit. */
  readonly bytesUsed?: number;
}

export interface InflatedUpload {
  readonly raw: Uint8Array;
  /** The upload with one layer of compression at most, to be stored: `body` itself, or separate memory. */
  readonly kept: Uint8Array;
}

/**
 * The inflated content of an upload's body, at most `bytesMax` bytes over all layers.
 *
 * Clients that compress their requests do so with a gzipped profile too. That layer is not kept. If the request does not declare
 * it, gzip within gzip is no profile, as for Go.
 *
 * @param setting of `bytesMax`, named in the refusal
 */
export function inflateUpload(
  body: Uint8Array,
  bytesMax: number,
  { isEncoded, bodyBytesMax, bytesUsed = 0 }: Sending = {
    isEncoded: false,
    bodyBytesMax: Number.POSITIVE_INFINITY,
  },
  setting = "INGEST_MAX_INFLATED_BYTES",
): Outcome<InflatedUpload> {
  const beyond = tooLarge(bytesMax, setting);
  const bytesLeft = bytesMax - bytesUsed;
  const once = layer(body, bytesLeft, beyond);
  if (!once.ok) return once;
  // The body is stored, unless a layer of compression is removed.
  if (bytesUsed > 0 && body.length > bodyBytesMax) return tooLarge(bodyBytesMax, "INGEST_MAX_BYTES");
  if (!isEncoded || once.value === body || compressionOf(once.value) === undefined) {
    return accepted({ raw: once.value, kept: body });
  }
  // The content of the first layer is stored.
  if (once.value.length > bodyBytesMax) return tooLarge(bodyBytesMax, "INGEST_MAX_BYTES");
  const twice = layer(once.value, bytesLeft - once.value.length, beyond);
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

/** The content of one layer of compression, or `body` itself if it is not compressed; at most `bytesMax` bytes. */
export function inflateLayer(body: Uint8Array, bytesMax: number, setting: string): Outcome<Uint8Array> {
  return layer(body, bytesMax, tooLarge(bytesMax, setting));
}

/**
 * The content of a request that is a message with several profiles, or with spans.
 *
 * @param setting of `inflatedBytesMax`, named in the refusal
 */
export function inflateMessage(
  body: Uint8Array,
  isJson: boolean,
  { inflatedBytesMax, sending }: { readonly inflatedBytesMax: number; readonly sending?: Sending },
  setting = "INGEST_MAX_INFLATED_BYTES",
): Outcome<Uint8Array> {
  if (!isJson) return inflateLayer(body, inflatedBytesMax, setting);
  // Parsed JSON takes several times the memory of its text.
  const bodyBytesMax = sending?.bodyBytesMax ?? inflatedBytesMax;
  return bodyBytesMax < inflatedBytesMax
    ? inflateLayer(body, bodyBytesMax, "INGEST_MAX_BYTES")
    : inflateLayer(body, inflatedBytesMax, setting);
}

function layer(body: Uint8Array, bytesLeft: number, beyond: Outcome<never>): Outcome<Uint8Array> {
  if (bytesLeft < 1) return beyond;
  const believableMax = Math.max(anyRatioBytesMax, body.length * ratioMax);
  const inside = inflate(body, Math.min(bytesLeft, believableMax));
  if (inside.ok) return accepted(inside.bytes);
  if (inside.reason === "damaged") return refused("invalid", "compression", inside.message);
  return bytesLeft > believableMax ? ratioTooHigh(body.length) : beyond;
}

function ratioTooHigh(bytes: number): Outcome<never> {
  return refused(
    "too_large",
    "compression_ratio",
    `The ${bytes} compressed bytes inflate to more than ${ratioMax} times their size, unlike any profile. Send the profiler's output unchanged, or uncompressed.`,
  );
}

function tooLarge(bytesMax: number, setting: string): Outcome<never> {
  return refused(
    "too_large",
    "inflated_bytes",
    `The upload is larger than ${bytesMax} bytes when decompressed. Send less in one request, or raise ${setting} on the server.`,
  );
}
