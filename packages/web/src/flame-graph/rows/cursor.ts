/** The row that a key moves to; undefined for other keys. */
export function cursorAfter(key: string, cursor: number, count: number, page: number): number | undefined {
  if (count === 0) return undefined;
  const within = (row: number) => Math.min(count - 1, Math.max(0, row));
  switch (key) {
    case "ArrowDown":
      return within(cursor + 1);
    case "ArrowUp":
      return within(cursor - 1);
    case "PageDown":
      return within(cursor + page);
    case "PageUp":
      return within(cursor - page);
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return undefined;
  }
}
