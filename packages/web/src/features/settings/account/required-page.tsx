import { userProfile } from "@flamekeep/contract";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate, useRouter } from "@tanstack/react-router";
import { Suspense, useEffect } from "react";
import { call } from "#api/call.ts";
import { serverText } from "#api/reply.ts";
import { organizationsQuery } from "#layout/organizations-query.ts";
import { usePageTitle } from "#layout/page-title.ts";
import { takeReturn } from "#session/return-path.ts";
import { updateUser, useSession } from "#session/session.ts";
import { signOut } from "#session/sign-out.ts";
import { useSwitch } from "#session/use-switch.ts";
import { secondFactorsQuery } from "#settings/parts/queries.ts";
import { BrandMark } from "#ui/content/brand.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { FullPageSpinner } from "#ui/content/spinner.tsx";
import { Button } from "#ui/controls/button.tsx";
import { FormProblems } from "#ui/controls/form-problems.tsx";
import { fromBase } from "#url/base-path.ts";
import { SecondFactorCard } from "./account.tsx";

/** Where members without the second factor that their organization requires set one up. */
export function RequiredFactorPage() {
  usePageTitle("Set up a second factor");
  const session = useSession();
  const isNeeded = session.status === "authenticated" && session.user.needs_second_factor;
  const { history } = useRouter();
  useEffect(() => {
    if (!isNeeded) history.replace(fromBase(takeReturn()));
  }, [isNeeded, history]);
  if (!isNeeded) return <FullPageSpinner />;
  const { email, organization } = session.user;
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-2xl flex-col gap-6 px-4 py-6 sm:px-6">
      <div className="flex items-center justify-between gap-4">
        <span className="flex items-center gap-2.5">
          <BrandMark />
          <span className="font-semibold text-card tracking-tight">Flamekeep</span>
        </span>
        <Button onClick={() => void signOut()}>Sign out</Button>
      </div>
      <div>
        <h1 className="font-semibold text-[1.625rem] leading-8 tracking-tight">Set up a second factor</h1>
        <p className="mt-1.5 text-muted [overflow-wrap:anywhere]">
          {organization.name} requires a second factor. Add an authenticator app or a passkey to continue.
        </p>
      </div>
      <Suspense fallback={<Skeleton className="h-36" />}>
        <SecondFactorCard email={email} />
      </Suspense>
      <Continue name={organization.name} />
      <OtherOrganizations />
    </main>
  );
}

/** Appears with the first second factor. */
function Continue({ name }: { readonly name: string }) {
  const { data } = useQuery(secondFactorsQuery);
  const check = useMutation({
    mutationFn: () => call(userProfile),
    onSuccess: ({ user }) => updateUser(user),
  });
  if (data === undefined || (data.totp_since === null && data.passkeys.length === 0)) return null;
  return (
    <div className="flex flex-col items-start gap-3">
      {check.error && (
        <FormProblems failure={serverText(check.error, "Failed to reach the server. Please try again.")} />
      )}
      <Button
        variant="primary"
        size="lg"
        className="max-w-full [overflow-wrap:anywhere]"
        disabled={check.isPending}
        onClick={() => check.mutate()}
      >
        Continue to {name}
      </Button>
    </div>
  );
}

function OtherOrganizations() {
  const navigate = useNavigate();
  const { data } = useQuery(organizationsQuery);
  const { mutate, isPending, error } = useSwitch(() => void navigate({ to: "/dashboard" }));
  const others = data?.organizations.filter(({ is_current }) => !is_current) ?? [];
  if (others.length === 0) return null;
  return (
    <section aria-labelledby="others">
      <h2 id="others" className="font-medium">
        Your other organizations
      </h2>
      <FormProblems error={error} failure="Failed to switch the organization" />
      <ul className="mt-3 flex flex-wrap gap-2">
        {others.map(({ id, name }) => (
          <li key={id} className="max-w-full">
            <Button
              className="max-w-full [overflow-wrap:anywhere]"
              disabled={isPending}
              onClick={() => {
                // The page that was asked for belongs to this organization.
                takeReturn();
                mutate(id);
              }}
            >
              Switch to {name}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
