/** Pages for people without a session: signing in there must not lead back to them. */
const accountPages = /^\/(login|register|forgot-password|reset-password|verify-email|single-sign-on)?$/;
const placeholderOrigin = "http://own.invalid";

/**
 * The page of this app to open after signing in, as its path with query and fragment. Undefined for anything else: a link
 * to the sign-in page must not lead to another site.
 */
export function returnPath(text: string): string | undefined {
  if (!text.startsWith("/") || !URL.canParse(text, placeholderOrigin)) return undefined;
  const { origin, pathname, search, hash } = new URL(text, placeholderOrigin);
  // "/.//host" is a path of this origin, and an address of another one when it is used as a link.
  if (origin !== placeholderOrigin || pathname.startsWith("//")) return undefined;
  if (accountPages.test(pathname)) return undefined;
  return pathname + search + hash;
}
