import { storagePrefix } from "#url/base-path.ts";

/** All keys in local storage. public/before-app.js also reads the theme's. */
export const storageKeys = {
  accessToken: `${storagePrefix}.access_token`,
  refreshToken: `${storagePrefix}.refresh_token`,
  user: `${storagePrefix}.user`,
  demo: `${storagePrefix}.demo`,
  selectedProject: `${storagePrefix}.selected_project`,
  timeRange: `${storagePrefix}.time_range`,
  timeBucket: `${storagePrefix}.time_bucket`,
  timeZone: `${storagePrefix}.time_zone`,
  autoRefresh: `${storagePrefix}.auto_refresh`,
  theme: `${storagePrefix}.theme`,
  sidebar: `${storagePrefix}.sidebar`,
  pageSize: `${storagePrefix}.page_size`,
} as const;

export type StorageKey = (typeof storageKeys)[keyof typeof storageKeys];

export function readStored(key: StorageKey): string | null {
  return localStorage.getItem(key);
}

export function writeStored(key: StorageKey, value: string): void {
  localStorage.setItem(key, value);
}

export function removeStored(...keys: readonly StorageKey[]): void {
  for (const key of keys) localStorage.removeItem(key);
}
