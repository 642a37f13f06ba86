/** Name of exported files, without its extension: `compare-checkout-cpu`. */
export function exportFileName(...parts: readonly string[]): string {
  return parts.join("-").replace(/[^\w.-]+/g, "-");
}
