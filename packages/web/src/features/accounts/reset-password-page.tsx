import { resetPassword, userProfile } from "@flamekeep/contract";
import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { call } from "#api/call.ts";
import { currentSession, useSession } from "#session/session.ts";
import { signOut } from "#session/sign-out.ts";
import { Spinner } from "#ui/content/spinner.tsx";
import { Button, buttonClass } from "#ui/controls/button.tsx";
import { Field } from "#ui/controls/field.tsx";
import { FormProblems } from "#ui/controls/form-problems.tsx";
import { newPasswordHint, newPasswordProblem } from "#ui/controls/password-rules.ts";
import { AccountLayout } from "./account-layout.tsx";
import { AccountForm, FormSuccess, useAccountForm } from "./form.tsx";
import { useMailToken } from "./use-mail-token.ts";

const missingToken = "Invalid or missing reset token. Please request a new password reset.";
const toLoginMs = 3000;

export function ResetPasswordPage() {
  const mailToken = useMailToken();
  return (
    <AccountLayout title="Reset password" subtitle="Choose a new password for your account.">
      {mailToken.status === "loading" && <Spinner label="Loading..." />}
      {mailToken.status === "missing" && <NoToken />}
      {mailToken.status === "present" && <ResetForm token={mailToken.token} />}
    </AccountLayout>
  );
}

function NoToken() {
  return (
    <>
      <FormProblems failure={missingToken} />
      <div className="mt-6 flex flex-wrap gap-2">
        <Link to="/forgot-password" className={buttonClass()}>
          Request a new link
        </Link>
        <Link to="/login" className={buttonClass("ghost")}>
          Back to sign in
        </Link>
      </div>
    </>
  );
}

function ResetForm({ token }: { readonly token: string }) {
  const form = useAccountForm({
    names: ["new_password", "confirm_password"],
    check: newPasswordProblem,
    send: ({ new_password }) => call(resetPassword, { body: { token, new_password } }),
    onSent: leaveEndedSession,
  });
  if (form.reply) return <Done message={form.reply.message} />;
  return (
    <>
      <AccountForm
        form={form}
        failedText="Failed to reset password. Please try again."
        action="Reset Password"
        pendingAction="Resetting..."
      >
        <Field
          label="New password"
          type="password"
          autoComplete="new-password"
          hint={newPasswordHint}
          autoFocus
          {...form.field("new_password")}
        />
        <Field
          label="Confirm new password"
          type="password"
          autoComplete="new-password"
          {...form.field("confirm_password")}
        />
      </AccountForm>
      <p className="mt-6 text-center text-muted">
        <Link to="/forgot-password" className="font-medium text-accent-text hover:underline">
          Request a new link
        </Link>
      </p>
    </>
  );
}

/**
 * The server has ended all sessions of the account. Only it can tell whether this browser's session is one of them: a call signs the
 * browser out if so.
 */
async function leaveEndedSession(): Promise<void> {
  const session = currentSession();
  if (session.status !== "authenticated" || session.isDemo) return;
  // A failure of this call must not look like one of the reset.
  await call(userProfile).catch(() => undefined);
}

function Done({ message }: { readonly message: string }) {
  const session = useSession();
  const isOther = session.status === "authenticated" && !session.isDemo;
  return (
    <>
      <FormSuccess>{message}</FormSuccess>
      {isOther ? <SignInAsOwner signedInAs={session.user.email} /> : <SignInSoon />}
    </>
  );
}

/** Goes on to the sign-in page after three seconds. */
function SignInSoon() {
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => void navigate({ to: "/login", replace: true }), toLoginMs);
    return () => clearTimeout(timer);
  }, [navigate]);
  return (
    <p className="mt-6">
      <Link to="/login" className={buttonClass()}>
        Sign in now
      </Link>
    </p>
  );
}

/** For a browser in which somebody else is signed in: the sign-in page would lead to the dashboard of that account. */
function SignInAsOwner({ signedInAs }: { readonly signedInAs: string }) {
  const navigate = useNavigate();
  async function leave() {
    await Promise.all([signOut(), navigate({ to: "/login", replace: true })]);
  }
  return (
    <>
      <p className="mt-4 text-muted [overflow-wrap:anywhere]">This browser is signed in as {signedInAs}.</p>
      <p className="mt-6 flex flex-wrap gap-2">
        <Button variant="primary" onClick={() => void leave()}>
          Sign out and sign in
        </Button>
        <Link to="/dashboard" className={buttonClass()}>
          Stay signed in
        </Link>
      </p>
    </>
  );
}
