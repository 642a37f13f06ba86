import { acceptInvitation, type ReplyOf, readInvitation } from "@flamekeep/contract";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "#api/call.ts";
import { dateText } from "#format/time.ts";
import { moveSession, useSession } from "#session/session.ts";
import type { SessionUser } from "#session/session-user.ts";
import { signOut } from "#session/sign-out.ts";
import { Spinner } from "#ui/content/spinner.tsx";
import { Button, buttonClass } from "#ui/controls/button.tsx";
import { FormProblems } from "#ui/controls/form-problems.tsx";
import { Tabs } from "#ui/controls/tabs.tsx";
import { AccountLayout } from "./account-layout.tsx";
import { type Invited, LoginForm, useReturn } from "./login-form.tsx";
import { RegisterForm } from "./register-page.tsx";
import { SingleSignOnButton } from "./single-sign-on-button.tsx";

type Invitation = ReplyOf<typeof readInvitation>;

/** The page of an invitation link: for a signed-in person a button, for others the forms that create or open an account. */
export function InvitePage() {
  const { token } = useParams({ from: "/invite/$token" });
  // Joining uses the invitation up: reading it again would report that.
  const query = useQuery({
    queryKey: ["invitation", token],
    queryFn: ({ signal }) => call(readInvitation, { body: { token }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const text = query.error?.message;
  return (
    <AccountLayout
      title="Invitation"
      subtitle={query.data ? subtitleOf(query.data) : "To an organization on this server."}
    >
      {query.isPending && <Spinner label="Loading..." />}
      {text !== undefined && (
        <>
          <FormProblems failure={text} />
          <Link to="/dashboard" className={`mt-6 ${buttonClass()}`}>
            Go to the dashboard
          </Link>
        </>
      )}
      {query.data && <Accept invited={{ token, email: query.data.email }} invitation={query.data} />}
    </AccountLayout>
  );
}

function subtitleOf({ organization, role, expires_at }: Invitation): string {
  return `Join ${organization} as ${role}. Single-use link, expires ${dateText(expires_at)}.`;
}

const ways = [
  { value: "register", label: "Create an account" },
  { value: "login", label: "Sign in" },
] as const;

function Accept({ invited, invitation }: { readonly invited: Invited; readonly invitation: Invitation }) {
  const session = useSession();
  const [way, setWay] = useState<(typeof ways)[number]["value"]>("register");
  const { goOn } = useReturn();
  if (session.status === "loading") return <Spinner label="Loading..." />;
  if (session.status === "authenticated" && !session.isDemo) {
    return <JoinForm invited={invited} organization={invitation.organization} user={session.user} />;
  }
  return (
    <>
      <Tabs label="How to join" value={way} items={ways} onChange={setWay}>
        {way === "register" ? (
          <RegisterForm invited={invited} onSignedIn={goOn} />
        ) : (
          <LoginForm invited={invited} onSignedIn={goOn} />
        )}
      </Tabs>
      <SingleSignOnButton invited={invited} />
    </>
  );
}

interface JoinFormProps {
  readonly invited: Invited;
  readonly organization: string;
  readonly user: SessionUser;
}

/** For a person who is signed in. */
function JoinForm({ invited, organization, user }: JoinFormProps) {
  const { goOn } = useReturn();
  const joining = useMutation({
    mutationFn: () => call(acceptInvitation, { body: { token: invited.token } }),
    onSuccess: async (moved) => {
      moveSession(moved);
      await goOn();
    },
  });
  return (
    <div className="flex flex-col gap-4">
      <p className="[overflow-wrap:anywhere]">
        You are signed in as <strong>{user.email}</strong>.
      </p>
      <FormProblems error={joining.error} failure="Failed to join. Please try again." />
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" disabled={joining.isPending} onClick={() => joining.mutate()}>
          <span className="max-w-64 truncate">Join {organization}</span>
        </Button>
        <Button onClick={() => void signOut()}>Use another account</Button>
      </div>
    </div>
  );
}
