import { z } from "zod";
import { endpointIn, Role } from "#base/endpoint.ts";
import { limits } from "#base/limits.ts";
import { Instant } from "#base/moments.ts";
import { hiddenInLineRule, isReadableLine } from "#base/readable.ts";
import * as calls from "./calls.ts";
import { isEmail } from "./calls.ts";
import { inOrder, isLongEnough, isShortEnough, required, tooLong, tooShort } from "./fields.ts";

export const User = z
  .object({
    id: z.uuid().meta({ example: "0f7c3b52-6c1e-4c59-9f0e-3a8d5b1c7e21" }),
    email: z.string().meta({ example: "ada@example.com" }),
    first_name: z.string().meta({ example: "Ada" }),
    last_name: z.string().meta({ example: "Lovelace" }),
    name: z.string().meta({ description: "First and last name.", example: "Ada Lovelace" }),
    avatar: z.string().nullable().meta({ example: null }),
    role: Role,
    is_active: z.boolean().meta({ example: true }),
    is_verified: z.boolean().meta({ example: false }),
    created_at: Instant,
    last_login_at: Instant.nullable().meta({ example: "2026-11-20T08:12:40.000Z" }),
    is_operator: z.boolean().meta({
      description:
        "The operator: the first account of the installation, or the account the role was transferred to. It sees the organizations and limits of the server.",
      example: false,
    }),
    needs_second_factor: z.boolean().meta({
      description:
        "Whether the organization requires a second factor and this account has none: until then, only calls about the account and its organizations work.",
      example: false,
    }),
    organization: z.object({
      id: z.uuid().meta({ example: "b2c1f0de-93a4-4e7b-8a56-51d0c7e4f982" }),
      name: z.string().meta({ example: "Ada's organization" }),
    }),
  })
  .meta({ id: "User" });
export type User = z.output<typeof User>;

export const Tokens = z
  .object({
    access_token: z.string().meta({
      description: "JWT, 15 minutes. Goes in `Authorization: Bearer`.",
      example: "eyJhbGciOiJIUzI1NiJ9...",
    }),
    refresh_token: z.string().meta({
      description: "Opaque. Each use of /auth/refresh-token returns the next one.",
      example: "fr_3f9a1c07...",
    }),
  })
  .meta({ id: "Tokens" });
export type Tokens = z.output<typeof Tokens>;

const allRequired = "All fields are required";

const loginRequired = "Email and password are required";

const invalidEmail = "Please enter a valid email address";

const longestName = `A name must be at most ${limits.personNameLengthMax} characters long`;

export const invitation = z.string().max(200).optional().meta({
  description: "Token of an invitation link: the account joins that organization.",
  example: "q1Zr8mB0vXc3nKf7tYw2LdPs5HgJ9aEuRi6oTxQyNkM",
});

const Registration = z
  .object({
    email: required(allRequired).meta({ example: "ada@example.com" }),
    password: required(allRequired).meta({
      description: "At least 8 characters.",
      example: "correct horse battery staple",
    }),
    first_name: required(allRequired).meta({ example: "Ada" }),
    last_name: required(allRequired).meta({ example: "Lovelace" }),
    invitation,
  })
  .check(
    inOrder([
      [
        (r) => [r.email, r.first_name, r.last_name].every((t) => t.trim() !== "") && r.password !== "",
        allRequired,
      ],
      [(r) => isEmail(r.email.trim()), invalidEmail],
      [(r) => isLongEnough(r.password), tooShort],
      [(r) => isShortEnough(r.password), tooLong],
      [(r) => [r.first_name, r.last_name].every((t) => t.length <= limits.personNameLengthMax), longestName],
      [
        (r) => [r.first_name, r.last_name].every((t) => isReadableLine(t.trim())),
        `A name ${hiddenInLineRule}`,
      ],
    ]),
  );

const Credentials = z
  .object({
    email: required(loginRequired).meta({ example: "ada@example.com" }),
    password: required(loginRequired).meta({ example: "correct horse battery staple" }),
    invitation,
  })
  .check(
    inOrder([
      [(c) => c.email.trim() !== "" && c.password !== "", loginRequired],
      [(c) => c.email.trim().length <= limits.emailLengthMax, invalidEmail],
      [(c) => isShortEnough(c.password), tooLong],
    ]),
  );

export const SignedIn = z.object({ user: User, tokens: Tokens });
export type SignedIn = z.output<typeof SignedIn>;

const SecondFactorNeeded = z
  .object({
    second_factor: z.object({
      token: z.string().meta({
        description: "For /auth/login/second-factor, once.",
        example: "q1Zr8mB0vXc3nKf7tYw2LdPs5HgJ9aEuRi6oTxQyNkM",
      }),
      methods: z.array(z.enum(["totp", "passkey", "recovery_code"])).meta({
        description: "The second factors of the account.",
        example: ["totp", "recovery_code"],
      }),
      expires_at: Instant,
    }),
  })
  .meta({ id: "SecondFactorNeeded" });
export type SecondFactorNeeded = z.output<typeof SecondFactorNeeded>;

const endpoint = endpointIn("Accounts");

export const accountEndpoints = [
  endpoint(calls.register, {
    summary: "Create an account and its organization",
    description:
      "With an invitation, the account joins the inviting organization instead, even if registration is closed (`SIGNUP=invite`).",
    body: Registration,
    reply: SignedIn,
    status: 201,
    failures: ["conflict", "forbidden", "rate_limited"],
  }),
  endpoint(calls.login, {
    summary: "Sign in",
    description:
      "The session is in the last used organization, or in the joined one with an invitation. An account with a second factor gets a token for /auth/login/second-factor instead, valid for five minutes.",
    body: Credentials,
    reply: z.union([SignedIn, SecondFactorNeeded]),
    failures: ["unauthenticated", "forbidden", "conflict", "rate_limited"],
  }),
  endpoint(calls.refreshToken, {
    summary: "Exchange a refresh token for the next pair",
    description:
      "Empty body; the refresh token goes in `Authorization: Bearer`. Reusing an exchanged token ends the session, except within 20 seconds, when it returns the same refresh token again.",
    bearers: ["refreshToken"],
    reply: z.object({ tokens: Tokens }),
    failures: ["rate_limited"],
  }),
  endpoint(calls.logout, {
    summary: "End the session",
    description: "The bearer is the access token, or the refresh token if the access token has expired.",
    bearers: ["session", "refreshToken"],
    reply: z.object({ message: z.string().meta({ example: "Signed out" }) }),
    failures: ["rate_limited"],
  }),
  endpoint(calls.userProfile, {
    summary: "The signed-in person",
    isOpenWithoutSecondFactor: true,
    reply: z.object({ user: User }),
  }),
] as const;
