/**
 * The path of the app on its host, such as `/flamekeep`, which the server writes into the page; empty at the root. Addresses inside
 * the router have no base path.
 */
const basePath = globalThis.document?.documentElement.dataset.base ?? "";

/** For the router. */
export const routerBasePath = basePath === "" ? "/" : basePath;

/** Prefix of the keys in the browser's storage, which two servers on one host share. */
export const storagePrefix = `flamekeep${basePath}`;

/** The address of a path of this server, for links and requests. */
export function fromBase(path: string): string {
  return basePath + path;
}

/** The path inside the router of an address in the browser. */
function withoutBase(pathname: string): string {
  return pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : pathname;
}

/** The path inside the router of an address of this app, with its query and fragment. */
export function pathInside(href: string): string {
  const { pathname, search, hash } = new URL(href);
  return withoutBase(pathname) + search + hash;
}

/** The address of this server for programs that send profiles. */
export function serverAddress(): string {
  return window.location.origin + basePath;
}

/** The address that the app was opened with. The router replaces malformed parameters in the URL, so this is read first. */
export const openedAddress = {
  pathname: withoutBase(globalThis.location?.pathname ?? "/"),
  search: globalThis.location?.search ?? "",
};

/** Whether the person has closed, or left behind, what the app had to say about that address. A reload opens it again. */
export const openedAddressNotice = { isDone: false };
