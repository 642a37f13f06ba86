import { changePassword, sendVerification } from "@flamekeep/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, Suspense } from "react";
import { call } from "#api/call.ts";
import { lazyPart } from "#api/import-page.ts";
import { configQuery } from "#api/query-client.ts";
import { dateText } from "#format/time.ts";
import { useIsDemo } from "#session/session.ts";
import { accountQuery, sessionsQuery } from "#settings/parts/queries.ts";
import { Badge } from "#ui/content/badge.tsx";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { PanelCard } from "#ui/content/panel.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { ExactTime } from "#ui/content/values.tsx";
import { Button } from "#ui/controls/button.tsx";
import { Field } from "#ui/controls/field.tsx";
import { FormProblems, type Problem, useForm } from "#ui/controls/form-problems.tsx";
import { fieldProblems, newPasswordHint, newPasswordProblem } from "#ui/controls/password-rules.ts";
import { showToast } from "#ui/overlays/toast.ts";
import { useChange } from "#ui/overlays/use-change.ts";

export function Account() {
  const { data } = useQuery(accountQuery);
  const isDemo = useIsDemo();
  return (
    <div className="flex flex-col gap-4">
      <Details isDemo={isDemo} />
      {data && !isDemo && (
        <>
          <PasswordCard email={data.user.email} />
          <Suspense fallback={<Skeleton className="h-36" />}>
            <SecondFactorCard email={data.user.email} />
            <IdentitiesCard email={data.user.email} />
          </Suspense>
        </>
      )}
    </div>
  );
}

function Details({ isDemo }: { readonly isDemo: boolean }) {
  const query = useQuery(accountQuery);
  return (
    <PanelCard
      title="Account"
      detail="Your name and email address on this server."
      query={query}
      loading={<AccountSkeleton />}
      errorTitle="Failed to load profile information"
    >
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
              <Badge tone={user.is_active ? "ok" : "neutral"}>{user.is_active ? "Active" : "Inactive"}</Badge>
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
    </PanelCard>
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

/** Sends the link that confirms the address of the account. Not there on a server that sends no mail. */
function SendVerification() {
  const { data: config } = useQuery(configQuery);
  const sending = useChange({
    send: () => call(sendVerification),
    done: ({ message }) => message,
    failure: "Failed to send the link",
  });
  if (config?.mail !== true) return null;
  return (
    <Button size="sm" disabled={sending.isPending} onClick={() => sending.mutate()}>
      {sending.isPending ? "Sending..." : "Send confirmation link"}
    </Button>
  );
}

const noPasswords = { current_password: "", new_password: "", confirm_password: "" };

function problemsOf(passwords: typeof noPasswords): readonly Problem[] {
  if (passwords.current_password === "")
    return [{ field: "current_password", text: "Enter your current password" }];
  return fieldProblems(newPasswordProblem(passwords));
}

/** @param email for password managers: the account of the password */
export function PasswordCard({ email }: { readonly email: string }) {
  const client = useQueryClient();
  const form = useForm({
    initial: () => noPasswords,
    check: problemsOf,
    send: ({ current_password, new_password }) =>
      call(changePassword, { body: { current_password, new_password } }),
    onSent: async ({ message }) => {
      form.set(noPasswords);
      showToast(message);
      await client.invalidateQueries(sessionsQuery);
    },
  });
  const field = (name: keyof typeof noPasswords, hint?: string) => ({
    type: "password",
    ...form.field(name, hint),
  });
  return (
    <Card>
      <CardHeader title="Password" detail="Changing it signs out your other sessions." />
      <form noValidate onSubmit={form.onSubmit} className="flex max-w-sm flex-col gap-4 px-4 pb-4">
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        <Field label="Current password" autoComplete="current-password" {...field("current_password")} />
        <Field label="New password" autoComplete="new-password" {...field("new_password", newPasswordHint)} />
        <Field label="Confirm new password" autoComplete="new-password" {...field("confirm_password")} />
        <FormProblems problems={form.problems} error={form.error} failure="Failed to change the password" />
        <div>
          <Button type="submit" disabled={form.isPending}>
            {form.isPending ? "Changing..." : "Change password"}
          </Button>
        </div>
      </form>
    </Card>
  );
}

// With the code that draws QR codes.
export const SecondFactorCard = lazyPart(
  async () => (await import("./second-factor-card.tsx")).SecondFactorCard,
);

const IdentitiesCard = lazyPart(async () => (await import("./identities-card.tsx")).IdentitiesCard);
