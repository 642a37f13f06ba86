import { login } from "@flamekeep/contract";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { call } from "#api/call.ts";
import { signIn } from "#session/session.ts";
import { Field } from "#ui/controls/field.tsx";
import { AccountLayout } from "./account-layout.tsx";
import { DemoButton } from "./demo-button.tsx";
import { AccountForm, formText, useAccountForm } from "./form.tsx";
import { useReturn } from "./use-return.ts";
import { type LoginForm, loginProblem } from "./validation.ts";

export function LoginPage() {
  const { search, goOn } = useReturn();
  const attempt = useMutation({
    mutationFn: ({ email, password }: LoginForm) => call(login, { body: { email: email.trim(), password } }),
    onSuccess: async (reply) => {
      signIn(reply);
      await goOn();
    },
  });
  const form = useAccountForm(
    (data) => ({ email: formText(data, "email"), password: formText(data, "password") }),
    loginProblem,
    (entered) => attempt.mutate(entered),
  );

  return (
    <AccountLayout title="Sign In" subtitle="Welcome back to your profiles.">
      <AccountForm
        form={form}
        request={attempt}
        failedText="Login failed. Please try again."
        action="Sign In"
        pendingAction="Signing in..."
      >
        <Field label="Email" type="email" autoComplete="username" autoFocus {...form.field("email")} />
        <Field
          label="Password"
          type="password"
          autoComplete="current-password"
          {...form.field("password")}
          aside={
            <Link
              to="/forgot-password"
              search={search}
              className="text-accent-text text-label hover:underline"
            >
              Forgot password?
            </Link>
          }
        />
      </AccountForm>
      <DemoButton />
      <p className="mt-6 text-center text-muted">
        Don't have an account?{" "}
        <Link to="/register" search={search} className="font-medium text-accent-text hover:underline">
          Sign up
        </Link>
      </p>
    </AccountLayout>
  );
}
