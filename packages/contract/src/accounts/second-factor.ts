import { z } from "zod";
import { roles } from "#base/call.ts";
import { endpointIn } from "#base/endpoint.ts";
import { Instant } from "#base/moments.ts";
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
  description: "Each works once, in place of a code of the app. They are never shown again.",
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
      description: "Whether `PUBLIC_URL` is an address that browsers accept for passkeys.",
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
      "The token is that of the reply of /auth/login. Wrong codes count like wrong passwords; after one, another code may be sent with the same token.",
    body: z.object({
      token: ChallengeToken,
      code: required(codeRequired)
        .max(100)
        .refine((text) => text.trim() !== "", { error: codeRequired })
        .meta({ description: "Of the authenticator app, or a recovery code.", example: "287082" }),
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
      "Needs the password. Nothing changes until a code of the app confirms, within 15 minutes, that it has the secret.",
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
    description: "From now on a sign-in with the password needs a code, too.",
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
    description: "Needs the password. Recovery codes go with the last second factor.",
    roles,
    body: PasswordAgain,
    reply: SecondFactors,
    failures: ["not_found", "rate_limited"],
  }),
  endpoint(calls.replaceRecoveryCodes, {
    summary: "Replace the recovery codes",
    description: "Needs the password. The former codes stop working.",
    roles,
    body: PasswordAgain,
    reply: z.object({ recovery_codes: RecoveryCodes }),
    failures: ["conflict", "rate_limited"],
  }),
] as const;
