import { finishIdentityLink, finishSingleSignOn } from "@flamekeep/contract";
import { useMutation } from "@tanstack/react-query";
import { Link, useRouter } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { call } from "#api/call.ts";
import { serverText } from "#api/reply.ts";
import { takeInvitation, takeIsLink, takeReturn } from "#session/return-after-sign-on.ts";
import { signIn } from "#session/sign-in.ts";
import { Spinner } from "#ui/content/spinner.tsx";
import { buttonClass } from "#ui/controls/button.tsx";
import { FormProblems } from "#ui/controls/form-problems.tsx";
import { showToast } from "#ui/overlays/toast.ts";
import { AccountLayout } from "./account-layout.tsx";

async function finish(query: string): Promise<void> {
  if (takeIsLink()) {
    const { identity } = await call(finishIdentityLink, { body: { query } });
    showToast(`Your account at ${identity.issuer} is linked`);
    return;
  }
  signIn(await call(finishSingleSignOn, { body: { query, invitation: takeInvitation() } }));
}

/** Where the identity provider sends the browser back, with a code that works once. */
export function SingleSignOnPage() {
  const router = useRouter();
  const isSent = useRef(false);
  const { mutate, error } = useMutation({
    mutationFn: finish,
    onSuccess: () => router.history.replace(takeReturn()),
  });
  useEffect(() => {
    if (isSent.current) return;
    isSent.current = true;
    mutate(window.location.search || "?");
  }, [mutate]);
  return (
    <AccountLayout title="Signing in" subtitle="Your identity provider has sent you back.">
      {error === null ? (
        <Spinner label="Signing in..." />
      ) : (
        <>
          <FormProblems problems={[]} failure={serverText(error, "Failed to sign in. Please try again.")} />
          <Link to="/login" className={buttonClass("primary")}>
            Back to sign in
          </Link>
        </>
      )}
    </AccountLayout>
  );
}
