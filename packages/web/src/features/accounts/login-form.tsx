import { login, type SecondFactorNeeded, type SignedIn } from "@flamekeep/contract";
import { useMutation } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { call } from "#api/call.ts";
import { importPage } from "#api/import-page.ts";
import { signIn } from "#session/sign-in.ts";
import { Spinner } from "#ui/content/spinner.tsx";
import { Field } from "#ui/controls/field.tsx";
import { AccountForm, formText, useAccountForm } from "./form.tsx";
import type { Invited } from "./invitation/invited.ts";
import { type LoginForm as Entered, loginProblem } from "./validation.ts";

// Most accounts have no second factor.
const SecondStep = lazy(async () => ({
  default: (await importPage(() => import("./second-step.tsx"))).SecondStep,
}));

interface LoginFormProps {
  readonly onSignedIn: () => Promise<void>;
  /** Joins an organization with the sign-in. */
  readonly invited?: Invited;
  /** Next to the label of the password. */
  readonly passwordAside?: ReactNode;
  /** Below the form, but not below its second step. */
  readonly children?: ReactNode;
}

/** Email and password, and then the second factor of accounts that have one. */
export function LoginForm({ onSignedIn, invited, passwordAside, children }: LoginFormProps) {
  const [needed, setNeeded] = useState<SecondFactorNeeded["second_factor"]>();
  async function finish(reply: SignedIn) {
    signIn(reply);
    await onSignedIn();
  }
  if (needed !== undefined) {
    return (
      <Suspense fallback={<Spinner label="Loading..." />}>
        <SecondStep
          needed={needed}
          invitation={invited?.token}
          onSignedIn={finish}
          onBack={() => setNeeded(undefined)}
        />
      </Suspense>
    );
  }
  return (
    <>
      <PasswordStep
        invited={invited}
        passwordAside={passwordAside}
        onAnswer={(reply) => ("user" in reply ? finish(reply) : setNeeded(reply.second_factor))}
      />
      {children}
    </>
  );
}

interface PasswordStepProps {
  readonly invited: Invited | undefined;
  readonly passwordAside: ReactNode;
  readonly onAnswer: (reply: SignedIn | SecondFactorNeeded) => unknown;
}

function PasswordStep({ invited, passwordAside, onAnswer }: PasswordStepProps) {
  const attempt = useMutation({
    mutationFn: ({ email, password }: Entered) =>
      call(login, {
        body: { email: email.trim(), password, ...(invited && { invitation: invited.token }) },
      }),
    onSuccess: onAnswer,
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
