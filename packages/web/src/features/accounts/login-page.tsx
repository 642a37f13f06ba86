import { login } from "@flamekeep/contract";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { call } from "#api/call.ts";
import { serverText } from "#api/reply.ts";
import { signIn } from "#session/session.ts";
import { Button } from "#ui/controls/button.tsx";
import { Field } from "#ui/controls/field.tsx";
import { AccountLayout } from "./account-layout.tsx";
import { DemoButton } from "./demo-button.tsx";
import { FormError, focusBlank, formText } from "./form.tsx";
import { useReturn } from "./use-return.ts";
import { type LoginForm, loginProblem } from "./validation.ts";

export function LoginPage() {
  const { search, goOn } = useReturn();
  const [problem, setProblem] = useState<string>();
  const [blank, setBlank] = useState<readonly string[]>([]);
  const attempt = useMutation({
    mutationFn: (form: LoginForm) => call(login, { body: { ...form, email: form.email.trim() } }),
    onSuccess: async (reply) => {
      signIn(reply);
      await goOn();
    },
    onError: (error) => setProblem(serverText(error, "Login failed. Please try again.")),
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const form = { email: formText(data, "email"), password: formText(data, "password") };
    const found = loginProblem(form);
    setProblem(found);
    setBlank(found === undefined ? [] : focusBlank(event.currentTarget));
    if (found === undefined) attempt.mutate(form);
  }

  return (
    <AccountLayout title="Sign In" subtitle="Welcome back to your profiles.">
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <Field
          label="Email"
          name="email"
          type="email"
          autoComplete="email"
          autoFocus
          isInvalid={blank.includes("email")}
        />
        <Field
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          isInvalid={blank.includes("password")}
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
        <FormError text={problem} />
        <Button
          type="submit"
          variant="primary"
          size="lg"
          className="mt-1 w-full"
          disabled={attempt.isPending}
        >
          {attempt.isPending ? "Signing in..." : "Sign In"}
        </Button>
        <DemoButton />
      </form>
      <p className="mt-6 text-center text-muted">
        Don't have an account?{" "}
        <Link to="/register" search={search} className="font-medium text-accent-text hover:underline">
          Sign up
        </Link>
      </p>
    </AccountLayout>
  );
}
