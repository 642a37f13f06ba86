import { withoutBase } from "./base-path.ts";

/** The address that the app was opened with. The router replaces malformed parameters in the URL, so this is read first. */
export const openedAddress = {
  pathname: withoutBase(globalThis.location?.pathname ?? "/"),
  search: globalThis.location?.search ?? "",
};

/** Whether the person has closed, or left behind, what the app had to say about that address. A reload opens it again. */
export const openedAddressNotice = { isDone: false };
