import { login, type SecondFactorNeeded, type SignedIn } from "@flamekeep/contract";
import { useRouter, useSearch } from "@tanstack/react-router";
import { type ReactNode, Suspense, useState } from "react";
import { call } from "#api/call.ts";
import { lazyPart } from "#api/import-page.ts";
import { signIn } from "#session/sign-in.ts";
import { Spinner } from "#ui/content/spinner.tsx";
import { Field } from "#ui/controls/field.tsx";
import { fromBase } from "#url/base-path.ts";
import { AccountForm, useAccountForm } from "./form.tsx";
import { loginProblem } from "./validation.ts";

/** An invitation that an account accepts with its sign-in or registration. */
export interface Invited {
  readonly token: string;
  /** The address that may accept it; null: any. */
  readonly email: string | null;
}

// Most accounts have no second factor.
const SecondStep = lazyPart(async () => (await import("./second-step.tsx")).SecondStep);

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
  const form = useAccountForm({
    names: ["email", "password"],
    check: loginProblem,
    send: ({ email, password }) =>
      call(login, {
        body: { email: email.trim(), password, ...(invited && { invitation: invited.token }) },
      }),
    onSent: onAnswer,
  });
  return (
    <AccountForm
      form={form}
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

interface Return {
  /** For links between the sign-in pages, so that the destination is not lost. */
  readonly search: { readonly return_to?: string };
  /** Opens the page that asked for a session, or the dashboard. */
  readonly goOn: () => Promise<void>;
}

export function useReturn(): Return {
  const router = useRouter();
  const { return_to: target } = useSearch({ strict: false });
  const hasTarget = typeof target === "string";
  return {
    search: hasTarget ? { return_to: target } : {},
    goOn: () => router.navigate({ href: fromBase(hasTarget ? target : "/dashboard"), replace: true }),
  };
}
