import { inflate } from "#decoding/inflate.ts";
import { accepted, type Outcome, refused } from "./refusal.ts";

/** What is inside an upload's body, at most `bytesMax` bytes of it. */
export function inflateUpload(body: Uint8Array, bytesMax: number): Outcome<Uint8Array> {
  const inside = inflate(body, bytesMax);
  if (inside.ok) return accepted(inside.bytes);
  return inside.reason === "too_large"
    ? refused("too_large", "inflated_bytes", inside.message)
    : refused("invalid", "compression", inside.message);
}
