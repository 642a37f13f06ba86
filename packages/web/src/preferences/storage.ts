/** All keys in local storage. public/before-app.js also reads the theme's. */
export const storageKeys = {
  accessToken: "flamekeep.access_token",
  refreshToken: "flamekeep.refresh_token",
  user: "flamekeep.user",
  demo: "flamekeep.demo",
  selectedProject: "flamekeep.selected_project",
  timeRange: "flamekeep.time_range",
  timeBucket: "flamekeep.time_bucket",
  timeZone: "flamekeep.time_zone",
  autoRefresh: "flamekeep.auto_refresh",
  theme: "flamekeep.theme",
  sidebar: "flamekeep.sidebar",
  pageSize: "flamekeep.page_size",
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
