import { Link } from "@tanstack/react-router";
import { buttonClass } from "#ui/controls/button.tsx";
import { AccountLayout } from "./account-layout.tsx";

export function ForgotPasswordPage() {
  return (
    <AccountLayout
      title="Forgot password?"
      subtitle="This version does not send reset links by e-mail. Ask the operator of this Flamekeep server."
    >
      <div className="flex flex-wrap gap-2">
        <Link to="/login" className={buttonClass()}>
          Back to sign in
        </Link>
        <Link to="/register" className={buttonClass("ghost")}>
          Create an account
        </Link>
      </div>
    </AccountLayout>
  );
}
