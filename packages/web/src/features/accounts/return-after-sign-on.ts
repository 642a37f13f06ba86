import { returnPath } from "#session/return-path.ts";

const key = "flamekeep_return_after_sign_on";

/** The page to open after the provider sent the browser back: in this tab only. */
export function rememberReturn(path: string | undefined): void {
  if (path === undefined) window.sessionStorage.removeItem(key);
  else window.sessionStorage.setItem(key, path);
}

export function takeReturn(): string {
  const path = window.sessionStorage.getItem(key) ?? "";
  window.sessionStorage.removeItem(key);
  return returnPath(path) ?? "/dashboard";
}
