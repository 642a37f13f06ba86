import { sessionEndedMessage } from "@flamekeep/contract";
import { Link } from "@tanstack/react-router";
import { useIsSignUpOpen } from "#api/query-client.ts";
import { hasPasskeys } from "#passkeys/is-supported.ts";
import { PasskeyButton } from "#passkeys/passkey-button.tsx";
import { useSession } from "#session/session.ts";
import { signIn } from "#session/sign-in.ts";
import { AccountLayout, registrationByInvitation } from "./account-layout.tsx";
import { DemoButton } from "./demo-button.tsx";
import { LoginForm } from "./login-form.tsx";
import { SingleSignOnButton } from "./single-sign-on-button.tsx";
import { useReturn } from "./use-return.ts";

export function LoginPage() {
  const { search, goOn } = useReturn();
  const isSignUpOpen = useIsSignUpOpen();
  const session = useSession();
  const wasRefused = session.status === "anonymous" && session.wasRefused;
  return (
    <AccountLayout
      title="Sign In"
      subtitle={wasRefused ? sessionEndedMessage : "Welcome back to your profiles."}
    >
      <LoginForm
        onSignedIn={goOn}
        passwordAside={
          <Link to="/forgot-password" search={search} className="text-accent-text text-label hover:underline">
            Forgot password?
          </Link>
        }
      >
        {hasPasskeys() && (
          <div className="mt-4">
            <PasskeyButton
              label="Sign in with a passkey"
              onSignedIn={async (reply) => {
                signIn(reply);
                await goOn();
              }}
            />
          </div>
        )}
        <SingleSignOnButton />
        <DemoButton />
        <p className="mt-6 text-center text-muted">
          {isSignUpOpen ? (
            <>
              Don't have an account?{" "}
              <Link to="/register" search={search} className="font-medium text-accent-text hover:underline">
                Sign up
              </Link>
            </>
          ) : (
            registrationByInvitation
          )}
        </p>
      </LoginForm>
    </AccountLayout>
  );
}
