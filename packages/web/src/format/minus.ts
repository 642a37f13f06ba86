/** A formatted number with a minus sign (U+2212) if it is negative; one that rounds to zero has none. */
export function withMinus(text: string): string {
  if (!text.startsWith("-")) return text;
  const size = text.slice(1);
  return /[1-9]/.test(size) ? `−${size}` : size;
}
