import { register } from "@flamekeep/contract";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { call } from "#api/call.ts";
import { useIsSignUpOpen } from "#api/query-client.ts";
import { signIn } from "#session/sign-in.ts";
import { Field } from "#ui/controls/field.tsx";
import { newPasswordHint } from "#ui/controls/password-rules.ts";
import { AccountLayout, registrationByInvitation } from "./account-layout.tsx";
import { AccountForm, formText, useAccountForm } from "./form.tsx";
import type { Invited } from "./login-form.tsx";
import { useReturn } from "./login-form.tsx";
import { type RegisterForm as Entered, registerProblem } from "./validation.ts";

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

function readForm(data: FormData): Entered {
  return {
    first_name: formText(data, "first_name"),
    last_name: formText(data, "last_name"),
    email: formText(data, "email"),
    password: formText(data, "password"),
    confirm_password: formText(data, "confirm_password"),
  };
}

function createAccount(form: Entered, invited: Invited | undefined) {
  return call(register, {
    body: {
      email: form.email.trim(),
      password: form.password,
      first_name: form.first_name.trim(),
      last_name: form.last_name.trim(),
      ...(invited && { invitation: invited.token }),
    },
  });
}

interface RegisterFormProps {
  readonly onSignedIn: () => Promise<void>;
  /** The account joins an organization instead of getting its own. */
  readonly invited?: Invited;
}

export function RegisterForm({ onSignedIn, invited }: RegisterFormProps) {
  const attempt = useMutation({
    mutationFn: (entered: Entered) => createAccount(entered, invited),
    onSuccess: async (reply) => {
      signIn(reply);
      await onSignedIn();
    },
  });

  const form = useAccountForm(readForm, registerProblem, (entered) => attempt.mutate(entered));

  return (
    <AccountForm
      form={form}
      request={attempt}
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
