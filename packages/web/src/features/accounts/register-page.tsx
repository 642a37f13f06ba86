import { register } from "@flamekeep/contract";
import { Link } from "@tanstack/react-router";
import { call } from "#api/call.ts";
import { useIsSignUpOpen } from "#api/query-client.ts";
import { signIn } from "#session/sign-in.ts";
import { Field } from "#ui/controls/field.tsx";
import { newPasswordHint } from "#ui/controls/password-rules.ts";
import { AccountLayout, registrationByInvitation } from "./account-layout.tsx";
import { AccountForm, useAccountForm } from "./form.tsx";
import type { Invited } from "./login-form.tsx";
import { useReturn } from "./login-form.tsx";
import { registerProblem } from "./validation.ts";

export function RegisterPage() {
  const { search, goOn } = useReturn();
  const isSignUpOpen = useIsSignUpOpen();
  return (
    <AccountLayout title="Create an Account" subtitle="Your organization's profiles stay on this server.">
      {isSignUpOpen ? <RegisterForm onSignedIn={goOn} /> : <p>{registrationByInvitation}</p>}
      <p className="mt-6 text-center text-muted">
        Already have an account?{" "}
        <Link to="/login" search={search} className="font-medium text-accent-text hover:underline">
          Sign in
        </Link>
      </p>
    </AccountLayout>
  );
}

interface RegisterFormProps {
  readonly onSignedIn: () => Promise<void>;
  /** The account joins an organization instead of getting its own. */
  readonly invited?: Invited;
}

export function RegisterForm({ onSignedIn, invited }: RegisterFormProps) {
  const form = useAccountForm({
    names: ["first_name", "last_name", "email", "password", "confirm_password"],
    check: registerProblem,
    send: ({ first_name, last_name, email, password }) =>
      call(register, {
        body: {
          email: email.trim(),
          password,
          first_name: first_name.trim(),
          last_name: last_name.trim(),
          ...(invited && { invitation: invited.token }),
        },
      }),
    onSent: async (reply) => {
      signIn(reply);
      await onSignedIn();
    },
  });
  return (
    <AccountForm
      form={form}
      failedText="Registration failed. Please try again."
      action="Create Account"
      pendingAction="Creating account..."
    >
      <div className="grid grid-cols-2 gap-3">
        <Field label="First name" autoComplete="given-name" autoFocus {...form.field("first_name")} />
        <Field label="Last name" autoComplete="family-name" {...form.field("last_name")} />
      </div>
      <Field
        label="Email"
        type="email"
        autoComplete="username"
        defaultValue={invited?.email ?? ""}
        {...form.field("email")}
      />
      <Field
        label="Password"
        type="password"
        autoComplete="new-password"
        hint={newPasswordHint}
        {...form.field("password")}
      />
      <Field
        label="Confirm password"
        type="password"
        autoComplete="new-password"
        {...form.field("confirm_password")}
      />
    </AccountForm>
  );
}
