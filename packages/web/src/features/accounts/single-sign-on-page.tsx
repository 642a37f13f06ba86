import { finishSingleSignOn } from "@flamekeep/contract";
import { useMutation } from "@tanstack/react-query";
import { Link, useRouter } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { call } from "#api/call.ts";
import { serverText } from "#api/reply.ts";
import { signIn } from "#session/session.ts";
import { Spinner } from "#ui/content/spinner.tsx";
import { buttonClass } from "#ui/controls/button.tsx";
import { FormProblems } from "#ui/controls/form-problems.tsx";
import { AccountLayout } from "./account-layout.tsx";
import { takeInvitation, takeReturn } from "./return-after-sign-on.ts";

/** Where the identity provider sends the browser back, with a code that works once. */
export function SingleSignOnPage() {
  const router = useRouter();
  const isSent = useRef(false);
  const { mutate, error } = useMutation({
    mutationFn: (query: string) =>
      call(finishSingleSignOn, { body: { query, invitation: takeInvitation() } }),
    onSuccess: async (reply) => {
      signIn(reply);
      router.history.replace(takeReturn());
    },
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
