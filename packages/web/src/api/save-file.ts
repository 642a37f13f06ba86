/** Hands a file to the browser's downloads. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // Revoking at once can cancel the download in some browsers.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Name of exported files, without its extension: `compare-checkout-cpu`. */
export function exportFileName(...parts: readonly string[]): string {
  return parts.join("-").replace(/[^\w.-]+/g, "-");
}
