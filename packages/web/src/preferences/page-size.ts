import { readStored, storageKeys, writeStored } from "./storage.ts";

/** Rows of a page of the table of profiles. */
export const pageSizes = [5, 10, 25, 50] as const;
export type PageSize = (typeof pageSizes)[number];

const defaultPageSize: PageSize = 10;

/** The size that was chosen last; 10 before any choice. */
export function savedPageSize(): PageSize {
  const saved = Number(readStored(storageKeys.pageSize));
  return pageSizes.find((size) => size === saved) ?? defaultPageSize;
}

export function savePageSize(size: PageSize): void {
  writeStored(storageKeys.pageSize, String(size));
}
