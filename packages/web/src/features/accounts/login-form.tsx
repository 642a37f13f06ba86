import { login } from "@flamekeep/contract";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { call } from "#api/call.ts";
import { signIn } from "#session/session.ts";
import { Field } from "#ui/controls/field.tsx";
import { AccountForm, formText, useAccountForm } from "./form.tsx";
import type { Invited } from "./invitation/invited.ts";
import { type LoginForm as Entered, loginProblem } from "./validation.ts";

interface LoginFormProps {
  readonly onSignedIn: () => Promise<void>;
  /** Joins an organization with the sign-in. */
  readonly invited?: Invited;
  /** Next to the label of the password. */
  readonly passwordAside?: ReactNode;
}

export function LoginForm({ onSignedIn, invited, passwordAside }: LoginFormProps) {
  const attempt = useMutation({
    mutationFn: ({ email, password }: Entered) =>
      call(login, {
        body: { email: email.trim(), password, ...(invited && { invitation: invited.token }) },
      }),
    onSuccess: async (reply) => {
      signIn(reply);
      await onSignedIn();
    },
  });
  const form = useAccountForm(
    (data) => ({ email: formText(data, "email"), password: formText(data, "password") }),
    loginProblem,
    (entered) => attempt.mutate(entered),
  );
  return (
    <AccountForm
      form={form}
      request={attempt}
      failedText="Login failed. Please try again."
      action="Sign In"
      pendingAction="Signing in..."
    >
      <Field
        label="Email"
        type="email"
        autoComplete="username"
        autoFocus
        defaultValue={invited?.email ?? ""}
        {...form.field("email")}
      />
      <Field
        label="Password"
        type="password"
        autoComplete="current-password"
        {...form.field("password")}
        aside={passwordAside}
      />
    </AccountForm>
  );
}
