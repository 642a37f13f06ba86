import { register } from "@flamekeep/contract";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { call } from "#api/call.ts";
import { signIn } from "#session/session.ts";
import { Field } from "#ui/controls/field.tsx";
import { AccountLayout } from "./account-layout.tsx";
import { AccountForm, formText, useAccountForm } from "./form.tsx";
import { useReturn } from "./use-return.ts";
import { type RegisterForm, registerProblem } from "./validation.ts";

function readForm(data: FormData): RegisterForm {
  return {
    first_name: formText(data, "first_name"),
    last_name: formText(data, "last_name"),
    email: formText(data, "email"),
    password: formText(data, "password"),
    confirm_password: formText(data, "confirm_password"),
  };
}

function createAccount(form: RegisterForm) {
  return call(register, {
    body: {
      email: form.email.trim(),
      password: form.password,
      first_name: form.first_name.trim(),
      last_name: form.last_name.trim(),
    },
  });
}

export function RegisterPage() {
  const { search, goOn } = useReturn();
  const attempt = useMutation({
    mutationFn: createAccount,
    onSuccess: async (reply) => {
      signIn(reply);
      await goOn();
    },
  });
  const form = useAccountForm(readForm, registerProblem, (entered) => attempt.mutate(entered));

  return (
    <AccountLayout title="Create an Account" subtitle="Your organization's profiles stay on this server.">
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
        <Field label="Email" type="email" autoComplete="username" {...form.field("email")} />
        <Field
          label="Password"
          type="password"
          autoComplete="new-password"
          hint="At least 8 characters. Common passwords are refused."
          {...form.field("password")}
        />
        <Field
          label="Confirm password"
          type="password"
          autoComplete="new-password"
          {...form.field("confirm_password")}
        />
      </AccountForm>
      <p className="mt-6 text-center text-muted">
        Already have an account?{" "}
        <Link to="/login" search={search} className="font-medium text-accent-text hover:underline">
          Sign in
        </Link>
      </p>
    </AccountLayout>
  );
}
