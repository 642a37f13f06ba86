import { z } from "zod";
import { roles } from "#base/call.ts";
import { endpointIn } from "#base/endpoint.ts";
import { limits } from "#base/limits.ts";
import { Instant } from "#base/moments.ts";
import { hiddenInLineRule, isReadableLine } from "#base/readable.ts";
import { Count } from "#base/values.ts";
import { invitation, SignedIn } from "./account.ts";
import * as calls from "./calls.ts";
import { inOrder, isShortEnough, required, tooLong } from "./fields.ts";

const codeRequired = "Enter the code";

const passwordRequired = "Enter your password";

const invalidToken = "Your sign-in took too long. Enter your password again.";

const code = z
  .object({ code: required(codeRequired).max(100).meta({ example: "287082" }) })
  .check(inOrder([[(c) => c.code.trim() !== "", codeRequired]]));

/** The password of the session's account again. */
export const PasswordAgain = z
  .object({ password: required(passwordRequired).meta({ example: "correct horse battery staple" }) })
  .check(
    inOrder([
      [(p) => p.password !== "", passwordRequired],
      [(p) => isShortEnough(p.password), tooLong],
    ]),
  );

export const RecoveryCodes = z.array(z.string()).meta({
  description: "Each works once, in place of a code from the app. Shown only once.",
  example: ["QBQ3WC-OE5RXA-K7T2ZL-N4JDVM"],
});

/** The token of a sign-in whose password was right. */
export const ChallengeToken = required(invalidToken)
  .max(200)
  .meta({ example: "q1Zr8mB0vXc3nKf7tYw2LdPs5HgJ9aEuRi6oTxQyNkM" });

export const Passkey = z
  .object({
    id: z.uuid().meta({ example: "7d1f0c3a-5b0e-4d51-8a57-3d0b7be0a1c9" }),
    name: z.string().meta({ example: "Laptop" }),
    created_at: Instant,
    last_used_at: Instant.nullable(),
  })
  .meta({ id: "Passkey" });
export type Passkey = z.output<typeof Passkey>;

export const SecondFactors = z
  .object({
    totp_since: Instant.nullable().meta({
      description: "When the authenticator app was set up; null without one.",
    }),
    passkeys: z.array(Passkey).meta({ description: "The newest first." }),
    recovery_codes_left: Count.meta({ example: 10 }),
    can_add_passkeys: z.boolean().meta({
      description: "Whether browsers accept `PUBLIC_URL` for passkeys.",
      example: true,
    }),
  })
  .meta({ id: "SecondFactors" });
export type SecondFactors = z.output<typeof SecondFactors>;

const endpoint = endpointIn("Accounts");

export const secondFactorEndpoints = [
  endpoint(calls.finishLogin, {
    summary: "Finish a sign-in with the second factor",
    description:
      "`token` comes from /auth/login. Wrong codes count like wrong passwords; the token accepts another attempt.",
    body: z.object({
      token: ChallengeToken,
      code: required(codeRequired)
        .max(100)
        .refine((text) => text.trim() !== "", { error: codeRequired })
        .meta({ description: "Code from the authenticator app, or a recovery code.", example: "287082" }),
      invitation,
    }),
    reply: SignedIn,
    failures: ["unauthenticated", "forbidden", "conflict", "rate_limited"],
  }),
  endpoint(calls.getSecondFactors, {
    summary: "Your second factors",
    isOpenWithoutSecondFactor: true,
    reply: SecondFactors,
  }),
  endpoint(calls.startTotp, {
    summary: "Begin to set up an authenticator app",
    description:
      "Needs the password. Takes effect after confirmation with a code from the app within 15 minutes.",
    isOpenWithoutSecondFactor: true,
    roles,
    body: PasswordAgain,
    reply: z.object({
      secret: z.string().meta({ description: "Base32.", example: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ" }),
      uri: z.string().meta({
        description: "For a QR code.",
        example:
          "otpauth://totp/Flamekeep:ada%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Flamekeep",
      }),
    }),
    failures: ["conflict", "rate_limited"],
  }),
  endpoint(calls.confirmTotp, {
    summary: "Confirm the authenticator app with its first code",
    description: "From then on, signing in with the password also needs a code.",
    isOpenWithoutSecondFactor: true,
    roles,
    body: code,
    reply: z.object({
      recovery_codes: RecoveryCodes.nullable().meta({
        description: "For the first second factor of an account; null for further ones.",
      }),
    }),
    failures: ["rate_limited"],
  }),
  endpoint(calls.removeTotp, {
    summary: "Remove the authenticator app",
    description: "Needs the password. Removing the last second factor also removes the recovery codes.",
    roles,
    body: PasswordAgain,
    reply: SecondFactors,
    failures: ["not_found", "rate_limited"],
  }),
  endpoint(calls.replaceRecoveryCodes, {
    summary: "Replace the recovery codes",
    description: "Needs the password. Earlier codes stop working.",
    roles,
    body: PasswordAgain,
    reply: z.object({ recovery_codes: RecoveryCodes }),
    failures: ["conflict", "rate_limited"],
  }),
] as const;

const nameRequired = "Enter a name for the passkey";

const PasskeyName = z
  .string({ error: nameRequired })
  .trim()
  .min(1, { error: nameRequired })
  .max(limits.passkeyNameLengthMax, {
    error: `A name must be at most ${limits.passkeyNameLengthMax} characters long`,
  })
  .refine(isReadableLine, { error: `A name ${hiddenInLineRule}` })
  .meta({ example: "Laptop" });

const base64url = z
  .string()
  .max(20_000)
  .meta({ description: "Base64url.", example: "V1X2k9mY3mB0vXc3nKf7tYw" });

/** At most 1023 bytes (Web Authentication, level 3, 4). */
const credentialId = base64url.max(1364);

/** A credential as `toJSON` of the browser's `PublicKeyCredential` writes it (Web Authentication, level 3, 5.1). */
const credential = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal("public-key").meta({ example: "public-key" }),
  clientExtensionResults: z.looseObject({}).meta({ example: {} }),
  authenticatorAttachment: z.enum(["cross-platform", "platform"]).optional().meta({ example: "platform" }),
};

const NewCredential = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z
      .array(z.string().max(100))
      .max(20)
      .optional()
      .meta({ example: ["internal"] }),
  }),
});
export type NewCredential = z.output<typeof NewCredential>;

const UsedCredential = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.nullish().meta({ example: null }),
  }),
});
export type UsedCredential = z.output<typeof UsedCredential>;

/** For `parseCreationOptionsFromJSON` and `parseRequestOptionsFromJSON` of the browser. */
const Options = z.looseObject({ challenge: z.string() }).meta({
  description: "Options for the browser, as JSON. The challenge is single use and valid for five minutes.",
  example: { challenge: "QBQ3WCOE5RXAK7T2ZLN4JDVM" },
});

const params = z.object({ id: z.string().meta({ example: "0b1d2c54-8f0e-4f7e-9d6a-3a1f7c2b9e10" }) });

const token = ChallengeToken.optional().meta({
  description: "From a sign-in with a correct password. Without a token, the passkey is enough.",
});

export const passkeyEndpoints = [
  endpoint(calls.startPasskey, {
    summary: "Begin to add a passkey",
    description: "Needs the password. The reply goes to the browser's `navigator.credentials.create`.",
    isOpenWithoutSecondFactor: true,
    roles,
    body: PasswordAgain,
    reply: z.object({ options: Options }),
    failures: ["conflict", "quota_exceeded", "rate_limited"],
  }),
  endpoint(calls.addPasskey, {
    summary: "Add the passkey that the browser made",
    description:
      "It signs in without a password. From then on, signing in with the password needs a second factor.",
    isOpenWithoutSecondFactor: true,
    roles,
    body: z.object({
      name: PasskeyName,
      passkey: NewCredential,
    }),
    reply: z.object({
      passkey: Passkey,
      recovery_codes: RecoveryCodes.nullable().meta({
        description: "For the first second factor of an account; null for further ones.",
      }),
    }),
    status: 201,
    failures: ["conflict", "quota_exceeded", "rate_limited"],
  }),
  endpoint(calls.renamePasskey, {
    summary: "Rename a passkey",
    roles,
    params,
    body: z.strictObject({ name: PasskeyName }),
    reply: z.object({ passkey: Passkey }),
    failures: ["not_found", "rate_limited"],
  }),
  endpoint(calls.removePasskey, {
    summary: "Remove a passkey",
    description: "Needs the password. Removing the last second factor also removes the recovery codes.",
    roles,
    params,
    body: PasswordAgain,
    reply: z.object({ passkey: Passkey }),
    failures: ["not_found", "rate_limited"],
  }),
  endpoint(calls.startPasskeyLogin, {
    summary: "Begin to sign in with a passkey",
    description:
      "The reply goes to the browser's `navigator.credentials.get`. It names the passkeys of an account only with a token from a correct password.",
    body: z.object({ token }),
    reply: z.object({ options: Options }),
    failures: ["conflict", "rate_limited"],
  }),
  endpoint(calls.loginWithPasskey, {
    summary: "Sign in with a passkey",
    description:
      "Without a token, the passkey replaces the password, and the device must verify the person, for example by fingerprint.",
    body: z.object({ token, passkey: UsedCredential, invitation }),
    reply: SignedIn,
    failures: ["unauthenticated", "forbidden", "conflict", "rate_limited"],
  }),
] as const;
