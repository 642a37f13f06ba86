import { z } from "zod";
import { endpoint, roles } from "./endpoint.ts";
import { limits } from "./limits.ts";
import { PasswordAgain } from "./second-factor.ts";
import { Instant } from "./time.ts";

const path = "/api/v1/protected/operator/accounts";
const area = "Operation";
const UserId = z.uuid().meta({ example: "0f7c3b52-6c1e-4c59-9f0e-3a8d5b1c7e21" });
const params = z.object({ id: z.string().meta(UserId.meta() ?? {}) });
const operatorOnly = { auth: "session", roles, isOpenToDemo: false, isForOperator: true } as const;

export const OperatedAccount = z
  .object({
    id: UserId,
    email: z.string().meta({ example: "ada@example.com" }),
    is_active: z.boolean().meta({ description: "False: nobody can sign in to it.", example: true }),
    is_operator: z.boolean().meta({ example: false }),
    has_second_factor: z.boolean().meta({ example: true }),
    created_at: Instant,
    last_login_at: Instant.nullable().meta({ example: "2026-11-20T08:12:40.000Z" }),
  })
  .meta({ id: "OperatedAccount" });
export type OperatedAccount = z.output<typeof OperatedAccount>;

export const findAccount = endpoint({
  method: "POST",
  path: `${path}/find`,
  area,
  summary: "The account with an email address, for the operator",
  ...operatorOnly,
  body: z.object({
    email: z.string().trim().min(1).max(limits.emailLengthMax).meta({ example: "ada@example.com" }),
  }),
  reply: z.object({ account: OperatedAccount }),
  failures: ["not_found"],
});

export const setAccountActive = endpoint({
  method: "PUT",
  path: `${path}/{id}/active`,
  area,
  summary: "Disable or enable an account",
  description:
    "Disabling ends all sessions of the account at once. Its memberships stay, and API keys that it created go on working. The operator's account stays enabled.",
  ...operatorOnly,
  params,
  body: z.object({ is_active: z.boolean().meta({ example: false }) }),
  reply: z.object({ account: OperatedAccount }),
  failures: ["not_found", "conflict"],
});

export const createResetLink = endpoint({
  method: "POST",
  path: `${path}/{id}/reset-link`,
  area,
  summary: "A link to choose a new password, to hand to the owner of an account",
  description:
    "As the link of a forgotten password: it works once, for 30 minutes, and replaces earlier ones. On a server that sends mail its use confirms the address, so hand it only to the owner of the address. Needs the password of the operator.",
  ...operatorOnly,
  params,
  body: PasswordAgain,
  reply: z.object({
    url: z.string().meta({ example: "https://flamekeep.example.com/reset-password?token=..." }),
    expires_at: Instant,
  }),
  failures: ["invalid", "not_found", "conflict", "rate_limited"],
});

export const removeSecondFactors = endpoint({
  method: "POST",
  path: `${path}/{id}/remove-second-factors`,
  area,
  summary: "Remove all second factors of an account, for an owner who lost them",
  description:
    "Removes the authenticator app, the passkeys and the recovery codes, and ends all sessions of the account. From then on the password alone signs in; its owner gets a mail. Needs the password of the operator.",
  ...operatorOnly,
  params,
  body: PasswordAgain,
  reply: z.object({ account: OperatedAccount }),
  failures: ["invalid", "not_found", "conflict", "rate_limited"],
});

export const transferOperatorRole = endpoint({
  method: "POST",
  path: `${path}/{id}/operator`,
  area,
  summary: "Make another account the operator of this server",
  description:
    "A server has one operator: the caller loses the role, and only the new operator can hand it back. Unused reset links that the operator made stop working. On a server that sends mail the address must be confirmed. Needs the password of the operator.",
  ...operatorOnly,
  params,
  body: PasswordAgain,
  reply: z.object({ account: OperatedAccount }),
  failures: ["invalid", "not_found", "conflict", "rate_limited"],
});
