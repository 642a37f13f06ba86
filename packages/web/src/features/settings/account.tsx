import type { ReplyOf, userProfile } from "@flamekeep/contract";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense } from "react";
import { dateText } from "#format/time.ts";
import { useIsDemo } from "#session/session.ts";
import { Badge } from "#ui/content/badge.tsx";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { ExactTime } from "#ui/content/values.tsx";
import { IdentitiesCard, SecondFactorCard } from "./lazy-cards.ts";
import { PasswordCard } from "./password-card.tsx";
import { accountQuery } from "./queries.ts";
import { SendVerification } from "./send-verification.tsx";

export function Account() {
  const query = useQuery(accountQuery);
  const isDemo = useIsDemo();
  return (
    <div className="flex flex-col gap-4">
      <Details query={query} isDemo={isDemo} />
      {query.data && !isDemo && (
        <>
          <PasswordCard email={query.data.user.email} />
          <Suspense fallback={<Skeleton className="h-36" />}>
            <SecondFactorCard email={query.data.user.email} />
            <IdentitiesCard email={query.data.user.email} />
          </Suspense>
        </>
      )}
    </div>
  );
}

interface DetailsProps {
  readonly query: UseQueryResult<ReplyOf<typeof userProfile>>;
  readonly isDemo: boolean;
}

function Details({ query, isDemo }: DetailsProps) {
  return (
    <Card>
      <CardHeader title="Account" detail="Who you are on this server." />
      <Panel query={query} loading={<AccountSkeleton />} errorTitle="Failed to load profile information">
        {({ user }) => (
          <dl className="divide-y divide-line border-line border-t">
            <Row label="Email">{user.email}</Row>
            <Row label="Name">
              {user.first_name} {user.last_name}
            </Row>
            <Row label="User ID">
              <span className="font-mono text-code">{user.id}</span>
            </Row>
            <Row label="Organization">{user.organization.name}</Row>
            <Row label="Account Status">
              <span className="flex flex-wrap items-center gap-1">
                <Badge tone={user.is_active ? "ok" : "neutral"}>
                  {user.is_active ? "Active" : "Inactive"}
                </Badge>
                <Badge tone={user.is_verified ? "ok" : "neutral"}>
                  {user.is_verified ? "Verified" : "Unverified"}
                </Badge>
                {!user.is_verified && !isDemo && <SendVerification />}
              </span>
            </Row>
            <Row label="Member Since">{dateText(user.created_at)}</Row>
            {user.last_login_at && (
              <Row label="Last Login">
                <ExactTime at={user.last_login_at} />
              </Row>
            )}
          </dl>
        )}
      </Panel>
    </Card>
  );
}

function Row({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="grid gap-x-4 px-4 py-3 sm:grid-cols-[12rem_minmax(0,1fr)]">
      <dt className="text-muted">{label}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  );
}

function AccountSkeleton() {
  return (
    <div role="status" aria-label="Loading account" className="flex flex-col gap-4 border-line border-t p-4">
      {["w-64", "w-40", "w-72", "w-32", "w-36", "w-32"].map((width, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: equal placeholders that never move
        <Skeleton key={row} className={`h-5 ${width}`} />
      ))}
    </div>
  );
}
