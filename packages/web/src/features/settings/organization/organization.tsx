import {
  deleteOrganization,
  leaveOrganization,
  limits,
  type MovedSession,
  type Organization as OrganizationFacts,
  renameOrganization,
  requireSecondFactor,
} from "@flamekeep/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "#api/call.ts";
import { plural } from "#format/number.ts";
import { dateText } from "#format/time.ts";
import { organizationsQuery } from "#layout/organizations-query.ts";
import { ReadOnlyNote } from "#layout/read-only-note.tsx";
import { announceLogout, moveSession, useIsAdmin, useIsDemo, useMayChange } from "#session/session.ts";
import { AdminNote, DeleteByNameDialog } from "#settings/parts/parts.tsx";
import { accountQuery, organizationQuery } from "#settings/parts/queries.ts";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { PanelCard } from "#ui/content/panel.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { Button } from "#ui/controls/button.tsx";
import { Field } from "#ui/controls/field.tsx";
import { FormProblems, useForm } from "#ui/controls/form-problems.tsx";
import { ConfirmDialog } from "#ui/overlays/confirm-dialog.tsx";
import type { Closable } from "#ui/overlays/dialog.tsx";
import { showToast } from "#ui/overlays/toast.ts";
import { useChange } from "#ui/overlays/use-change.ts";
import { PublicLinks } from "./public-links.tsx";
import { ResourcePrice } from "./resource-price.tsx";

export function Organization() {
  const isAdmin = useIsAdmin();
  const isDemo = useIsDemo();
  const mayChange = useMayChange();
  const query = useQuery(organizationQuery);
  return (
    <div className="flex flex-col gap-4">
      <PanelCard
        title="Organization"
        detail="Everything in Flamekeep belongs to an organization: profiles, keys, alerts and people."
        actions={isDemo ? <ReadOnlyNote /> : !isAdmin && <AdminNote />}
        query={query}
        loading={<Skeleton className="mx-4 mb-4 h-24 w-72" />}
        errorTitle="Failed to load the organization"
      >
        {(organization) => (
          <div className="border-line border-t px-4 py-4">
            {isAdmin ? (
              <NameForm key={organization.name} organization={organization} />
            ) : (
              <p className="font-medium [overflow-wrap:anywhere]">{organization.name}</p>
            )}
            <p className="mt-3 text-label text-muted">
              {plural(organization.members, "member")}, created {dateText(organization.created_at)}
            </p>
            <p className="mt-1 break-all font-mono text-label text-muted">{organization.id}</p>
          </div>
        )}
      </PanelCard>
      {isAdmin && query.data && <RequiredFactor organization={query.data} />}
      {!isDemo && <ResourcePrice isAdmin={isAdmin} />}
      {mayChange && <PublicLinks />}
      {query.data && !isDemo && <LeaveCard organization={query.data} isAdmin={isAdmin} />}
    </div>
  );
}

function NameForm({ organization }: { readonly organization: OrganizationFacts }) {
  const client = useQueryClient();
  const form = useForm({
    initial: () => ({ name: organization.name }),
    check: ({ name }) =>
      name.trim() === "" ? [{ field: "name", text: "Organization name is required" }] : [],
    send: ({ name }) => call(renameOrganization, { body: { name: name.trim() } }),
    onSent: async (renamed) => {
      showToast(`The organization is now called ${renamed.name}`);
      client.setQueryData(organizationQuery.queryKey, renamed);
      await Promise.all([
        client.invalidateQueries(accountQuery),
        client.invalidateQueries(organizationsQuery),
      ]);
    },
  });
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex max-w-md flex-col gap-4">
      <FormProblems problems={form.problems} error={form.error} failure="Failed to rename the organization" />
      <Field
        label="Name"
        autoComplete="organization"
        maxLength={limits.organizationNameLengthMax}
        {...form.field("name")}
      />
      <div>
        <Button type="submit" disabled={form.isPending || form.values.name.trim() === organization.name}>
          {form.isPending ? "Renaming..." : "Rename"}
        </Button>
      </div>
    </form>
  );
}

/** Whether every member needs a second factor. */
function RequiredFactor({ organization }: { readonly organization: OrganizationFacts }) {
  const { requires_second_factor: isRequired, members_without_second_factor: without } = organization;
  const change = useChange({
    send: () => call(requireSecondFactor, { body: { is_required: !isRequired } }),
    answers: organizationQuery,
    done: (changed) => `A second factor is ${changed.requires_second_factor ? "required" : "optional"} now`,
    failure: "Failed to change the requirement",
  });
  return (
    <Card>
      <CardHeader
        title="Second factor of members"
        detail={detailOf(isRequired, without)}
        actions={
          <Button disabled={change.isPending} onClick={() => change.mutate()}>
            {isRequired ? "Make it optional" : "Require a second factor"}
          </Button>
        }
      />
    </Card>
  );
}

function detailOf(isRequired: boolean, without: number | null): string {
  const rule = isRequired
    ? "Required: members without one cannot use this organization until they set one up."
    : "Optional. API keys need none.";
  // Only admins get the number.
  if (without === null) return rule;
  return `${rule} ${without === 0 ? "Every member has one." : `${plural(without, "member")} without one.`}`;
}

interface LeaveCardProps {
  readonly organization: OrganizationFacts;
  readonly isAdmin: boolean;
}

function LeaveCard({ organization, isAdmin }: LeaveCardProps) {
  const [step, setStep] = useState<"leave" | "delete">();
  const close = () => setStep(undefined);
  return (
    <Card>
      <CardHeader
        title={isAdmin ? "Leave or delete" : "Leave"}
        detail={
          isAdmin
            ? "The last admin cannot leave. Deleting removes all profiles for everyone."
            : "You need a new invitation to rejoin."
        }
        actions={
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setStep("leave")}>Leave organization</Button>
            {isAdmin && (
              <Button variant="danger" onClick={() => setStep("delete")}>
                Delete organization
              </Button>
            )}
          </div>
        }
      />
      {step === "leave" && <LeaveDialog name={organization.name} onClose={close} />}
      {step === "delete" && <DeleteOrganizationDialog name={organization.name} onClose={close} />}
    </Card>
  );
}

function LeaveDialog({ name, onClose }: Closable & { readonly name: string }) {
  const goOn = useAfterLeaving();
  return (
    <ConfirmDialog
      title={`Leave ${name}?`}
      description="Your sessions in it end. You need a new invitation to rejoin."
      action="Leave"
      failure="Failed to leave the organization"
      send={() => call(leaveOrganization)}
      onSent={goOn}
      onClose={onClose}
    />
  );
}

function DeleteOrganizationDialog({ name, onClose }: Closable & { readonly name: string }) {
  const goOn = useAfterLeaving();
  return (
    <DeleteByNameDialog
      name={name}
      what="organization"
      description="All profiles, keys, alerts and analyses are removed and cannot be restored. Everyone loses access immediately; user accounts stay."
      remove={(confirm) => call(deleteOrganization, { body: { confirm } })}
      onDeleted={goOn}
      onClose={onClose}
    />
  );
}

/** Goes on in the next organization of the person, or signs out: the server has ended the session then. */
function useAfterLeaving(): (reply: { readonly moved: MovedSession | null }) => Promise<void> {
  const navigate = useNavigate();
  return async ({ moved }) => {
    if (moved === null) return announceLogout();
    moveSession(moved);
    await navigate({ to: "/dashboard", replace: true });
  };
}
