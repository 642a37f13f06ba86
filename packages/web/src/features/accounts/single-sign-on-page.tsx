import { finishIdentityLink, finishSingleSignOn } from "@flamekeep/contract";
import { useMutation } from "@tanstack/react-query";
import { Link, useRouter } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { call } from "#api/call.ts";
import { serverText } from "#api/reply.ts";
import { isIdentityLink, takeInvitation, takeReturn } from "#session/return-path.ts";
import { signIn } from "#session/sign-in.ts";
import { Spinner } from "#ui/content/spinner.tsx";
import { buttonClass } from "#ui/controls/button.tsx";
import { FormProblems } from "#ui/controls/form-problems.tsx";
import { showToast } from "#ui/overlays/toast.ts";
import { fromBase } from "#url/base-path.ts";
import { AccountLayout } from "./account-layout.tsx";

async function finishSignIn(query: string): Promise<void> {
  signIn(await call(finishSingleSignOn, { body: { query, invitation: takeInvitation() } }));
}

async function finishLink(query: string): Promise<void> {
  const { identity } = await call(finishIdentityLink, { body: { query } });
  showToast(`Your account at ${identity.issuer} is linked`);
}

const purposes = {
  signIn: {
    finish: finishSignIn,
    title: "Signing in",
    pendingText: "Signing in...",
    failedText: "Failed to sign in. Please try again.",
    wayBack: (
      <Link to="/login" className={buttonClass("primary")}>
        Back to sign in
      </Link>
    ),
  },
  link: {
    finish: finishLink,
    title: "Linking your account",
    pendingText: "Linking...",
    failedText: "Failed to link the account. Please try again.",
    wayBack: (
      <Link to="/settings" search={{ tab: "account" }} className={buttonClass("primary")}>
        Back to settings
      </Link>
    ),
  },
};

/** Where the identity provider sends the browser back, with a code that works once. */
export function SingleSignOnPage() {
  const router = useRouter();
  const isSent = useRef(false);
  const [{ finish, title, pendingText, failedText, wayBack }] = useState(
    () => purposes[isIdentityLink() ? "link" : "signIn"],
  );
  const { mutate, error } = useMutation({
    mutationFn: finish,
    onSuccess: () => router.history.replace(fromBase(takeReturn())),
  });
  useEffect(() => {
    if (isSent.current) return;
    isSent.current = true;
    mutate(window.location.search || "?");
  }, [mutate]);
  return (
    <AccountLayout title={title} subtitle="Returning from your identity provider.">
      {error === null ? (
        <Spinner label={pendingText} />
      ) : (
        <>
          <FormProblems failure={serverText(error, failedText)} />
          {wayBack}
        </>
      )}
    </AccountLayout>
  );
}
