import { Link } from "@tanstack/react-router";
import { AccountLayout } from "./account-layout.tsx";
import { DemoButton } from "./demo-button.tsx";
import { LoginForm } from "./login-form.tsx";
import { useReturn } from "./use-return.ts";

export function LoginPage() {
  const { search, goOn } = useReturn();
  return (
    <AccountLayout title="Sign In" subtitle="Welcome back to your profiles.">
      <LoginForm
        onSignedIn={goOn}
        passwordAside={
          <Link to="/forgot-password" search={search} className="text-accent-text text-label hover:underline">
            Forgot password?
          </Link>
        }
      >
        <DemoButton />
        <p className="mt-6 text-center text-muted">
          Don't have an account?{" "}
          <Link to="/register" search={search} className="font-medium text-accent-text hover:underline">
            Sign up
          </Link>
        </p>
      </LoginForm>
    </AccountLayout>
  );
}
