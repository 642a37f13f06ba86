import { Link } from "@tanstack/react-router";
import { useIsSignUpOpen } from "#api/query-client.ts";
import { AccountLayout, registrationByInvitation } from "./account-layout.tsx";
import { RegisterForm } from "./register-form.tsx";
import { useReturn } from "./use-return.ts";

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
