/** TypeScript's DOM does not have Trusted Types yet. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (url: string) => string },
  ): { readonly createScriptURL: (url: string) => string };
}

/** The one policy that the server's headers allow: scripts from this host. Browsers without Trusted Types need none. */
const policy = (globalThis as { readonly trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy(
  "flamekeep-workers",
  { createScriptURL: (url) => ownScript(url, globalThis.location.origin) },
);

/** @param url of a module of the app, as `?worker&url` imports it */
export function startWorker(url: string): Worker {
  return new Worker(policy?.createScriptURL(url) ?? url, { type: "module" });
}

/** The address, if it is of the page's own host. */
export function ownScript(url: string, origin: string): string {
  if (new URL(url, origin).origin !== origin) throw new TypeError(`${url} is not a script of this host.`);
  return url;
}
