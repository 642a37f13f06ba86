import { z } from "zod";
import { roles } from "#base/call.ts";
import { endpointIn } from "#base/endpoint.ts";
import * as calls from "./calls.ts";
import { isEmail } from "./calls.ts";
import { inOrder, isLongEnough, isShortEnough, required, tooLong, tooShort } from "./fields.ts";

const addressRequired = "Please enter your email address";

const passwordsRequired = "Both password fields are required";

const tokenRequired = "Invalid or missing reset token";

const linkRequired = "Invalid or missing verification link";

const token = "q1Zr8mB0vXc3nKf7tYw2LdPs5HgJ9aEuRi6oTxQyNkM";

const password = "correct horse battery staple";

const endpoint = endpointIn("Accounts");

export const passwordEndpoints = [
  endpoint(calls.forgotPassword, {
    summary: "Ask for a link to choose a new password",
    description:
      "The reply is the same whether or not an account has this address. The link is sent by email, can be used once and expires after 30 minutes. A newer link replaces it.",
    body: z.object({ email: required(addressRequired).meta({ example: "ada@example.com" }) }).check(
      inOrder([
        [({ email }) => email.trim() !== "", addressRequired],
        [({ email }) => isEmail(email.trim()), "Please enter a valid email address"],
      ]),
    ),
    reply: z.object({
      message: z.string().meta({
        example: "If an account has this address, password reset instructions have been sent to it.",
      }),
    }),
    failures: ["rate_limited"],
  }),
  endpoint(calls.resetPassword, {
    summary: "Choose a new password with the token of a reset link",
    description:
      "Ends all sessions of the account and lifts a block after too many failed sign-ins. Does not sign in.",
    body: z
      .object({
        token: z.string({ error: tokenRequired }).default("").meta({ example: token }),
        new_password: required(passwordsRequired).meta({
          description: "At least 8 characters.",
          example: password,
        }),
      })
      .check(
        inOrder([
          [(r) => r.new_password !== "", passwordsRequired],
          [(r) => isLongEnough(r.new_password), tooShort],
          [(r) => isShortEnough(r.new_password), tooLong],
          [(r) => r.token !== "", tokenRequired],
        ]),
      ),
    reply: z.object({
      message: z.string().meta({ example: "Your password has been changed. Sign in with the new one." }),
    }),
    failures: ["rate_limited"],
  }),
  endpoint(calls.changePassword, {
    summary: "Change your password",
    description: "Needs the current password. Ends all other sessions of the account.",
    isOpenWithoutSecondFactor: true,
    roles,
    body: z
      .object({
        current_password: required(passwordsRequired).meta({ example: password }),
        new_password: required(passwordsRequired).meta({ example: "a longer staple for the horse" }),
      })
      .check(
        inOrder([
          [(r) => r.current_password !== "" && r.new_password !== "", passwordsRequired],
          [(r) => isLongEnough(r.new_password), tooShort],
          [(r) => isShortEnough(r.new_password) && isShortEnough(r.current_password), tooLong],
        ]),
      ),
    reply: z.object({ message: z.string().meta({ example: "Your password has been changed." }) }),
    failures: ["rate_limited"],
  }),
  endpoint(calls.verifyEmail, {
    summary: "Confirm an email address with the token of its link",
    body: z
      .object({ token: required(linkRequired).meta({ example: token }) })
      .check(inOrder([[(r) => r.token !== "", linkRequired]])),
    reply: z.object({ message: z.string().meta({ example: "Your email address is confirmed." }) }),
    failures: ["rate_limited"],
  }),
  endpoint(calls.sendVerification, {
    summary: "Send the link that confirms your email address",
    description:
      "The link can be used once and expires after a day. Needs a server that sends email (`SMTP_URL`).",
    isOpenWithoutSecondFactor: true,
    roles,
    reply: z.object({ message: z.string().meta({ example: "A link was sent to ada@example.com." }) }),
    failures: ["conflict", "rate_limited"],
  }),
] as const;
