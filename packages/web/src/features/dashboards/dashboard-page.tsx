import { type Dashboard, listServices, removeDashboard } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { Link, Navigate, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { dashboardQuery, dashboardsQuery } from "#add-to-dashboard/queries.ts";
import { call } from "#api/call.ts";
import { callQuery } from "#api/call-query.ts";
import { InHeader } from "#layout/header-slot.tsx";
import { usePageTitle } from "#layout/page-title.ts";
import { rangeOfSearch } from "#time-range/view-range.ts";
import { Breadcrumb } from "#ui/content/breadcrumb.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { SkeletonBlocks } from "#ui/content/skeleton.tsx";
import { ConfirmDialog } from "#ui/overlays/confirm-dialog.tsx";
import { DashboardEditor } from "./editor.tsx";
import { DashboardHead } from "./head.tsx";
import { missingInAddress, valuesOf } from "./model.ts";
import { PanelGrid } from "./panel-grid.tsx";
import { type Template, templates } from "./templates.ts";
import { VersionsDialog } from "./versions-dialog.tsx";

const from = "/protected/dashboards/$dashboardId";

/** One dashboard. Its range and variables are in the address, so that a link shows the same view. */
export function DashboardGridPage() {
  const { dashboardId } = useParams({ from });
  const template = templates.find(({ id }) => id === dashboardId);
  const { data: stored } = useQuery({ ...dashboardQuery(dashboardId), enabled: template === undefined });
  const name = (template?.definition ?? stored)?.name;
  usePageTitle(name);
  return (
    <>
      <InHeader>
        <Breadcrumb>
          <Link to="/dashboards">Dashboards</Link>
          {name !== undefined && <span className="max-w-120 truncate text-text">{name}</span>}
        </Breadcrumb>
        <p className="truncate text-label text-muted">Panels of your choice, shared by link</p>
      </InHeader>
      {template === undefined ? (
        <StoredDashboard key={dashboardId} id={dashboardId} />
      ) : (
        <TemplateDashboard template={template} />
      )}
    </>
  );
}

/** Begins with the service of the address, else with the first of the list. */
function TemplateDashboard({ template: { definition } }: { readonly template: Template }) {
  const query = useQuery(callQuery(["services", "first"], listServices, { query: { limit: 1 } }));
  return (
    <Panel query={query} loading={<LoadingGrid />} errorTitle="Could not load the services" errorHeading="h1">
      {({ services: [first] }) => {
        const variables = { ...definition.variables, service: first?.name ?? "" };
        const withService = { ...definition, variables };
        return (
          <WithAddress definition={withService}>
            <DashboardHead definition={withService} />
            <ShownPanels definition={withService} />
          </WithAddress>
        );
      }}
    </Panel>
  );
}

function LoadingGrid() {
  return (
    <SkeletonBlocks
      label="Loading the dashboard"
      count={6}
      className="h-40 rounded-card!"
      layoutClass="grid gap-4 xl:grid-cols-3"
    />
  );
}

function StoredDashboard({ id }: { readonly id: string }) {
  const query = useQuery(dashboardQuery(id));
  return (
    <Panel
      query={query}
      loading={<LoadingGrid />}
      errorTitle="Could not load the dashboard"
      errorHeading="h1"
      errorActions={<Link to="/dashboards">All dashboards</Link>}
    >
      {(dashboard) => (
        <WithAddress definition={dashboard}>
          <LoadedDashboard dashboard={dashboard} />
        </WithAddress>
      )}
    </Panel>
  );
}

type Step = "view" | "edit" | "versions" | "delete";

function LoadedDashboard({ dashboard }: { readonly dashboard: Dashboard }) {
  const [step, setStep] = useState<Step>("view");
  const navigate = useNavigate();
  const close = () => setStep("view");
  if (step === "edit") return <DashboardEditor dashboard={dashboard} onClose={close} />;
  return (
    <>
      <DashboardHead definition={dashboard} dashboard={dashboard} onStep={setStep} />
      <ShownPanels definition={dashboard} />
      {step === "versions" && <VersionsDialog dashboard={dashboard} onClose={close} />}
      {step === "delete" && (
        <ConfirmDialog
          title={`Delete ${dashboard.name}?`}
          description="All of its versions are deleted. Profiles and metrics stay."
          action="Delete dashboard"
          failure="Failed to delete the dashboard"
          send={() => call(removeDashboard, { params: { id: dashboard.id } })}
          done={() => {
            void navigate({ to: "/dashboards" });
            return `${dashboard.name} is deleted`;
          }}
          stale={[dashboardsQuery]}
          onClose={close}
        />
      )}
    </>
  );
}

type Definition = Pick<Dashboard, "name" | "description" | "variables" | "range" | "panels">;

interface WithAddressProps {
  readonly definition: Definition;
  readonly children: ReactNode;
}

/** Adds the defaults of the dashboard to an address that lacks them. */
function WithAddress({ definition, children }: WithAddressProps) {
  const search = useSearch({ from });
  const missing = missingInAddress(definition, search, rangeOfSearch(search) !== undefined);
  if (missing === undefined) return children;
  return <Navigate from="/dashboards/$dashboardId" to="." search={{ ...search, ...missing }} replace />;
}

function ShownPanels({ definition }: { readonly definition: Definition }) {
  return <PanelGrid panels={definition.panels} values={valuesOf(definition, useSearch({ from }))} />;
}
