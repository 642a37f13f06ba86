import { createDashboard, type DashboardSummary, limits } from "@flamekeep/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { LayoutGrid, Plus } from "lucide-react";
import { useState } from "react";
import { dashboardsQuery } from "#add-to-dashboard/queries.ts";
import { call } from "#api/call.ts";
import { plural } from "#format/number.ts";
import { ReadOnlyNote } from "#layout/read-only-note.tsx";
import { useMayChange } from "#session/session.ts";
import { Card } from "#ui/content/card.tsx";
import { Message } from "#ui/content/message.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { Button, buttonClass } from "#ui/controls/button.tsx";
import { Field } from "#ui/controls/field.tsx";
import { useForm } from "#ui/controls/form-problems.tsx";
import type { Closable } from "#ui/overlays/dialog.tsx";
import { FormDialog } from "#ui/overlays/form-dialog.tsx";
import { templates } from "./templates.ts";

/** The dashboards of the organization, and those that everybody can open. */
export function DashboardsPage() {
  const query = useQuery(dashboardsQuery);
  const mayChange = useMayChange();
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <div className="mb-4 flex min-h-9 flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="text-muted">Panels of several services in one view, shared by link.</p>
        {mayChange ? (
          <Button variant="primary" onClick={() => setCreating(true)}>
            <Plus aria-hidden className="size-4" strokeWidth={2} />
            New dashboard
          </Button>
        ) : (
          <ReadOnlyNote />
        )}
      </div>
      <Panel
        query={query}
        loading={<Skeleton className="h-28 rounded-card!" />}
        errorTitle="Failed to load dashboards"
        empty={({ dashboards }) => (dashboards.length === 0 ? <NoDashboards /> : null)}
      >
        {({ dashboards }) => (
          <Card>
            <ul className="divide-y divide-line">
              {dashboards.map((dashboard) => (
                <DashboardRow key={dashboard.id} dashboard={dashboard} />
              ))}
            </ul>
          </Card>
        )}
      </Panel>
      {query.data && query.data.dashboards.length > 0 && <Templates />}
      {isCreating && <NewDashboardDialog onClose={() => setCreating(false)} />}
    </>
  );
}

function DashboardRow({ dashboard }: { readonly dashboard: DashboardSummary }) {
  const { id, name, description, panels, version, saved_at: savedAt, saved_by: savedBy } = dashboard;
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-0.5 px-4 py-2.5">
      <div className="min-w-0 flex-1 basis-72">
        <Link
          to="/dashboards/$dashboardId"
          params={{ dashboardId: id }}
          className="block truncate font-medium hover:text-accent-text hover:underline"
        >
          {name}
        </Link>
        {description !== "" && <p className="truncate text-label text-muted">{description}</p>}
      </div>
      <span className="w-20 text-label text-muted">{plural(panels, "panel")}</span>
      <span className="min-w-0 truncate text-label text-muted sm:w-72">
        Version {version}, <RelativeTime at={savedAt} />
        {savedBy !== null && ` by ${savedBy}`}
      </span>
    </li>
  );
}

function NoDashboards() {
  return (
    <Card>
      <Message icon={LayoutGrid} title="No dashboards yet" actions={<TemplateLinks />}>
        <p>
          Open “One service” to see a dashboard of your data, or use “Add to dashboard” next to any flame
          graph, list of routes or list of alerts.
        </p>
      </Message>
    </Card>
  );
}

function Templates() {
  return (
    <p className="mt-4 flex flex-wrap items-center gap-3 text-label text-muted">
      Ready-made: <TemplateLinks />
    </p>
  );
}

function TemplateLinks() {
  return templates.map(({ id, definition }) => (
    <Link
      key={id}
      to="/dashboards/$dashboardId"
      params={{ dashboardId: id }}
      className={buttonClass("secondary", "sm")}
    >
      {definition.name}
    </Link>
  ));
}

function NewDashboardDialog({ onClose }: Closable) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const form = useForm({
    initial: () => ({ name: "" }),
    send: ({ name }) => call(createDashboard, { body: { name } }),
    onSent: ({ id }) => {
      void client.invalidateQueries({ queryKey: dashboardsQuery.queryKey });
      void navigate({ to: "/dashboards/$dashboardId", params: { dashboardId: id } });
    },
  });
  return (
    <FormDialog
      form={form}
      title="New dashboard"
      description="Add its panels on the next page, or from any page with “Add to dashboard”."
      action="Create"
      pending="Creating..."
      failure="Failed to create the dashboard"
      isReady={form.values.name.trim() !== ""}
      onClose={onClose}
    >
      <Field
        label="Name"
        required
        placeholder="Checkout on call"
        autoComplete="off"
        maxLength={limits.dashboardNameLengthMax}
        {...form.field("name")}
      />
    </FormDialog>
  );
}
