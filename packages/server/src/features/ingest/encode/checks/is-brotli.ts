import { brotliDecompressSync } from "node:zlib";
import { sniff } from "@flamekeep/profile";

/** Enough to recognise what is inside, and to show that it was no accident. */
const inflatedBytesMax = 64 * 1024;

/**
 * Whether unrecognised bytes are Brotli with something inside that is recognised. Brotli has no signature, so this tries: at the
 * first byte that does not fit the decoder stops, and it stops at a small size.
 */
export function isBrotli(bytes: Uint8Array): boolean {
  if (sniff(bytes) !== "unknown") return false;
  try {
    return sniff(brotliDecompressSync(bytes, { maxOutputLength: inflatedBytesMax })) !== "unknown";
  } catch (error) {
    // Other streams end in an error of the decoder before they have come to so much.
    return error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
  }
}
