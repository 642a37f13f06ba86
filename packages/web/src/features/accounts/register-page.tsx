import { register } from "@flamekeep/contract";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { call } from "#api/call.ts";
import { serverText } from "#api/reply.ts";
import { signIn } from "#session/session.ts";
import { Button } from "#ui/controls/button.tsx";
import { Field } from "#ui/controls/field.tsx";
import { AccountLayout } from "./account-layout.tsx";
import { FormError, formText } from "./form.tsx";
import { useReturn } from "./use-return.ts";
import { type RegisterForm, registerProblem } from "./validation.ts";

function readForm(data: FormData): RegisterForm {
  return {
    firstName: formText(data, "first_name"),
    lastName: formText(data, "last_name"),
    email: formText(data, "email"),
    password: formText(data, "password"),
    confirmPassword: formText(data, "confirm_password"),
  };
}

function createAccount(form: RegisterForm) {
  return call(register, {
    body: {
      email: form.email.trim(),
      password: form.password,
      first_name: form.firstName.trim(),
      last_name: form.lastName.trim(),
    },
  });
}

export function RegisterPage() {
  const { search, goOn } = useReturn();
  const [problem, setProblem] = useState<string>();
  const attempt = useMutation({
    mutationFn: createAccount,
    onSuccess: async (reply) => {
      signIn(reply);
      await goOn();
    },
    onError: (error) => setProblem(serverText(error, "Registration failed. Please try again.")),
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = readForm(new FormData(event.currentTarget));
    const found = registerProblem(form);
    setProblem(found);
    if (found === undefined) attempt.mutate(form);
  }

  return (
    <AccountLayout title="Create an Account" subtitle="Your organization's profiles stay on this server.">
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <div className="grid grid-cols-2 gap-3">
          <Field label="First name" name="first_name" autoComplete="given-name" autoFocus />
          <Field label="Last name" name="last_name" autoComplete="family-name" />
        </div>
        <Field label="Email" name="email" type="email" autoComplete="email" />
        <Field
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          hint="At least 8 characters."
        />
        <Field label="Confirm password" name="confirm_password" type="password" autoComplete="new-password" />
        <FormError text={problem} />
        <Button
          type="submit"
          variant="primary"
          size="lg"
          className="mt-1 w-full"
          disabled={attempt.isPending}
        >
          {attempt.isPending ? "Creating account..." : "Create Account"}
        </Button>
      </form>
      <p className="mt-6 text-center text-muted">
        Already have an account?{" "}
        <Link to="/login" search={search} className="font-medium text-accent-text hover:underline">
          Sign in
        </Link>
      </p>
    </AccountLayout>
  );
}
