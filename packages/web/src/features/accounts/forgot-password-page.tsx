import { forgotPassword } from "@flamekeep/contract";
import { Link } from "@tanstack/react-router";
import { call } from "#api/call.ts";
import { useIsSignUpOpen } from "#api/query-client.ts";
import { Field } from "#ui/controls/field.tsx";
import { AccountLayout, registrationByInvitation } from "./account-layout.tsx";
import { AccountForm, FormSuccess, useAccountForm } from "./form.tsx";
import { useReturn } from "./login-form.tsx";
import { forgotProblem } from "./validation.ts";

const fallbackMessage = "Password reset instructions have been sent to your email.";

export function ForgotPasswordPage() {
  const { search } = useReturn();
  const isSignUpOpen = useIsSignUpOpen();
  const form = useAccountForm({
    names: ["email"],
    check: forgotProblem,
    send: ({ email }) => call(forgotPassword, { body: { email: email.trim() } }),
  });

  return (
    <AccountLayout
      title="Forgot password?"
      subtitle="Enter your email address. We will send you a link to reset your password."
    >
      {form.reply ? (
        <FormSuccess>{form.reply.message || fallbackMessage}</FormSuccess>
      ) : (
        <AccountForm
          form={form}
          failedText="Failed to send reset email. Please try again."
          action="Send Reset Link"
          pendingAction="Sending..."
        >
          <Field label="Email" type="email" autoComplete="username" autoFocus {...form.field("email")} />
        </AccountForm>
      )}
      <p className="mt-6 flex flex-wrap justify-center gap-x-6 gap-y-2 text-muted">
        <Link to="/login" search={search} className="font-medium text-accent-text hover:underline">
          Back to sign in
        </Link>
        {isSignUpOpen ? (
          <Link to="/register" search={search} className="font-medium text-accent-text hover:underline">
            Create an account
          </Link>
        ) : (
          registrationByInvitation
        )}
      </p>
    </AccountLayout>
  );
}
