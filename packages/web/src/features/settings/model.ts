const visibleStart = 6;

/** The start of a key and dots for the rest, as long as the key. */
export function maskedKey(key: string): string {
  return key.slice(0, visibleStart) + "•".repeat(Math.max(0, key.length - visibleStart));
}
