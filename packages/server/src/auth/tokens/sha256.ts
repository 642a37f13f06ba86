import { createHash } from "node:crypto";

/** For texts with enough random bits that nobody can try them all: a keyed or slow hash would add nothing. */
export function sha256Hex(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
