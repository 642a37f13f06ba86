/** The address that the app was opened with. The router replaces malformed parameters in the URL, so this is read first. */
export const openedAddress = {
  pathname: globalThis.location?.pathname ?? "/",
  search: globalThis.location?.search ?? "",
};
