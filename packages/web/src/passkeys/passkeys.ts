import {
  addPasskey,
  loginWithPasskey,
  type ReplyOf,
  type SignedIn,
  startPasskey,
  startPasskeyLogin,
} from "@flamekeep/contract";
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from "@simplewebauthn/browser";
import { call } from "#api/call.ts";

interface SignIn {
  /** The token of a sign-in whose password was right; without it, the passkey replaces the password. */
  readonly token?: string | undefined;
  readonly invitation?: string | undefined;
}

/** Lets the browser ask for a passkey, and signs in with it. */
export async function signInWithPasskey({ token, invitation }: SignIn): Promise<SignedIn> {
  const waiting = token === undefined ? {} : { token };
  const { options } = await call(startPasskeyLogin, { body: waiting });
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const passkey = await startAuthentication({ optionsJSON });
  const body = { ...waiting, passkey: { ...passkey, clientExtensionResults: {} } };
  return call(loginWithPasskey, { body: { ...body, ...(invitation !== undefined && { invitation }) } });
}

interface NewPasskey {
  readonly name: string;
  readonly password: string;
}

/** Lets the browser make a passkey, and adds it to the account. */
export async function createPasskey({ name, password }: NewPasskey): Promise<ReplyOf<typeof addPasskey>> {
  const { options } = await call(startPasskey, { body: { password } });
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const passkey = await startRegistration({ optionsJSON });
  return call(addPasskey, { body: { name, passkey: { ...passkey, clientExtensionResults: {} } } });
}
