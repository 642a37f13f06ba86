import { limits, type Organization as OrganizationFacts, renameOrganization } from "@flamekeep/contract";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#api/call.ts";
import { serverText } from "#api/reply.ts";
import { plural } from "#format/number.ts";
import { dateText } from "#format/time.ts";
import { organizationsQuery } from "#layout/organizations-query.ts";
import { ReadOnlyNote } from "#layout/read-only-note.tsx";
import { useIsAdmin, useIsDemo, useMayChange } from "#session/session.ts";
import { AdminNote } from "#settings/admin-note.tsx";
import { accountQuery, organizationQuery } from "#settings/queries.ts";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { Button } from "#ui/controls/button.tsx";
import { Field } from "#ui/controls/field.tsx";
import { FormProblems, useCheckedForm } from "#ui/controls/form-problems.tsx";
import { showToast } from "#ui/overlays/toast.ts";
import { LeaveCard } from "./leave-card.tsx";
import { PublicLinks } from "./public-links.tsx";
import { RequiredFactor } from "./required-factor.tsx";

export function Organization() {
  const isAdmin = useIsAdmin();
  const isDemo = useIsDemo();
  const mayChange = useMayChange();
  const query = useQuery(organizationQuery);
  return (
    <div className="flex flex-col gap-4">
      <Card>
        <CardHeader
          title="Organization"
          detail="Everything in Flamekeep belongs to an organization: profiles, keys, alerts and people."
          actions={isDemo ? <ReadOnlyNote /> : !isAdmin && <AdminNote />}
        />
        <Panel
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
        </Panel>
      </Card>
      {isAdmin && query.data && <RequiredFactor organization={query.data} />}
      {mayChange && <PublicLinks />}
      {query.data && !isDemo && <LeaveCard organization={query.data} isAdmin={isAdmin} />}
    </div>
  );
}

function NameForm({ organization }: { readonly organization: OrganizationFacts }) {
  const client = useQueryClient();
  const [name, setName] = useState(organization.name);
  const renaming = useMutation({
    mutationFn: () => call(renameOrganization, { body: { name: name.trim() } }),
    onSuccess: async (renamed) => {
      showToast(`The organization is called ${renamed.name} now`);
      client.setQueryData(organizationQuery.queryKey, renamed);
      await Promise.all([
        client.invalidateQueries(accountQuery),
        client.invalidateQueries(organizationsQuery),
      ]);
    },
  });
  const form = useCheckedForm(
    () => (name.trim() === "" ? [{ field: "name", text: "Organization name is required" }] : []),
    () => renaming.mutate(),
  );
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex max-w-md flex-col gap-4">
      <FormProblems
        problems={form.problems}
        failure={renaming.error ? serverText(renaming.error, "Failed to rename the organization") : undefined}
      />
      <Field
        label="Name"
        name="name"
        autoComplete="organization"
        maxLength={limits.organizationNameLengthMax}
        value={name}
        onChange={(event) => setName(event.target.value)}
        {...form.hintOf("name")}
      />
      <div>
        <Button type="submit" disabled={renaming.isPending || name.trim() === organization.name}>
          {renaming.isPending ? "Renaming..." : "Rename"}
        </Button>
      </div>
    </form>
  );
}
