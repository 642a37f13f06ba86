import { isReadableLine } from "@flamekeep/contract/readable";

/** Pages for people without a session: signing in there must not lead back to them. */
const accountPages = /^\/(login|register|forgot-password|reset-password|verify-email|single-sign-on)?$/;
const placeholderOrigin = "http://own.invalid";

/**
 * The page of this app to open after signing in, as its path with query and fragment. Undefined for anything else: a link
 * to the sign-in page must not lead to another site.
 */
export function returnPath(text: string): string | undefined {
  if (!text.startsWith("/") || !isReadableLine(text) || !URL.canParse(text, placeholderOrigin))
    return undefined;
  const { origin, pathname, search, hash } = new URL(text, placeholderOrigin);
  // "/.//host" is a path of this origin, and an address of another one when it is used as a link.
  if (origin !== placeholderOrigin || pathname.startsWith("//")) return undefined;
  if (accountPages.test(pathname)) return undefined;
  return pathname + search + hash;
}

const pathKey = "flamekeep_return_after_sign_on";
const invitationKey = "flamekeep_invitation_after_sign_on";
const purposeKey = "flamekeep_purpose_of_sign_on";

interface AfterSignOn {
  readonly path: string | undefined;
  /** The token of the invitation to accept. */
  readonly invitation?: string | undefined;
  /** The person is signed in and links the account at the provider. */
  readonly isLink?: boolean;
}

/** Keeps, in this tab only, what to do after the provider sent the browser back, or after a required second factor was set up. */
export function rememberReturn({ path, invitation, isLink = false }: AfterSignOn): void {
  keep(purposeKey, isLink ? "link" : undefined);
  keep(pathKey, path);
  keep(invitationKey, invitation);
}

/** Whether the person went to the provider to link an account, and not to sign in. */
export function isIdentityLink(): boolean {
  return window.sessionStorage.getItem(purposeKey) === "link";
}

export function takeReturn(): string {
  return returnPath(take(pathKey) ?? "") ?? "/dashboard";
}

export function takeInvitation(): string | undefined {
  return take(invitationKey);
}

function keep(key: string, text: string | undefined): void {
  if (text === undefined) window.sessionStorage.removeItem(key);
  else window.sessionStorage.setItem(key, text);
}

function take(key: string): string | undefined {
  const text = window.sessionStorage.getItem(key) ?? undefined;
  window.sessionStorage.removeItem(key);
  return text;
}
