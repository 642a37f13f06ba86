import { sessionEndedMessage } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Play } from "lucide-react";
import { configQuery, useIsSignUpOpen } from "#api/query-client.ts";
import { hasPasskeys, PasskeyButton } from "#passkeys/passkey-button.tsx";
import { enterDemo, useSession } from "#session/session.ts";
import { signIn } from "#session/sign-in.ts";
import { Button } from "#ui/controls/button.tsx";
import { AccountLayout, registrationByInvitation } from "./account-layout.tsx";
import { LoginForm, useReturn } from "./login-form.tsx";
import { SingleSignOnButton } from "./single-sign-on-button.tsx";

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

function DemoButton() {
  const { goOn } = useReturn();
  const { data: config } = useQuery(configQuery);
  if (config?.demo !== true) return null;

  function open() {
    enterDemo();
    void goOn();
  }

  return (
    <div className="mt-4 flex flex-col gap-4">
      <div className="flex items-center gap-3 text-label text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or look around first
      </div>
      <Button size="lg" className="w-full" onClick={open}>
        <Play aria-hidden className="size-4" strokeWidth={1.75} />
        Try the demo
      </Button>
    </div>
  );
}
