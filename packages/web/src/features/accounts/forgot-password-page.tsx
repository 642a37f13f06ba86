import { Link } from "@tanstack/react-router";
import { buttonClass } from "#ui/controls/button.tsx";
import { AccountLayout } from "./account-layout.tsx";
import { useReturn } from "./use-return.ts";

export function ForgotPasswordPage() {
  const { search } = useReturn();
  return (
    <AccountLayout
      title="Forgot password?"
      subtitle="This version does not send reset links by e-mail. Ask the operator of this Flamekeep server."
    >
      <div className="flex flex-wrap gap-2">
        <Link to="/login" search={search} className={buttonClass()}>
          Back to sign in
        </Link>
        <Link to="/register" search={search} className={buttonClass("ghost")}>
          Create an account
        </Link>
      </div>
    </AccountLayout>
  );
}
