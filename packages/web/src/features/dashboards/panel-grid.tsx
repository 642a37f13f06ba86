import { type DashboardPanel, httpRouteOf } from "@flamekeep/contract";
import { Link } from "@tanstack/react-router";
import { ArrowUpRight, LayoutGrid } from "lucide-react";
import { type ReactNode, Suspense } from "react";
import { panelName } from "#add-to-dashboard/panel-names.ts";
import { useTimeRange } from "#time-range/use-time-range.ts";
import { Card } from "#ui/content/card.tsx";
import { Message } from "#ui/content/message.tsx";
import { cx } from "#ui/cx.ts";
import { panelElementId } from "./drag-handle.tsx";
import { isFiltered, serviceOf, tagsOf, type Values } from "./model.ts";
import { GraphAhead } from "./panels/graph-query.ts";
import { NoData, PanelSkeleton } from "./panels/panel-parts.tsx";
import { contentOf } from "./panels/table.ts";

interface PanelGridProps {
  readonly panels: readonly DashboardPanel[];
  readonly values: Values;
  /** Controls of a panel while the dashboard is edited. */
  readonly controlsOf?: (panel: DashboardPanel, at: number) => ReactNode;
  /** How a panel gets a service, where its variable has none. */
  readonly noService?: string;
  /** The panel whose place a dragged one takes. */
  readonly markedId?: string | undefined;
}

const widths = { 1: "", 2: "xl:col-span-2", 3: "xl:col-span-3" } as const;

/** Three columns on wide screens, one on others. Each panel loads and fails by itself. */
export function PanelGrid(props: PanelGridProps) {
  const { panels, values, controlsOf, markedId, noService = "Choose a service above." } = props;
  if (panels.length === 0)
    return (
      <Card>
        <Message icon={LayoutGrid} title="No panels yet">
          <p>
            {controlsOf === undefined ? "Choose Edit and add a panel" : "Choose “Add panel”"}, or use “Add to
            dashboard” on the page of a service.
          </p>
        </Message>
      </Card>
    );
  return (
    <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-3">
      {panels.map((panel, at) => (
        <Card
          key={panel.id}
          id={panelElementId(panel.id)}
          className={cx(
            "min-w-0",
            widths[panel.width as keyof typeof widths],
            panel.id === markedId && "outline-2 outline-accent outline-offset-2",
          )}
        >
          <PanelHead panel={panel} values={values} controls={controlsOf?.(panel, at)} />
          <PanelContent panel={panel} values={values} noService={noService} />
        </Card>
      ))}
    </div>
  );
}

interface PanelHeadProps {
  readonly panel: DashboardPanel;
  readonly values: Values;
  readonly controls: ReactNode;
}

function PanelHead({ panel, values, controls }: PanelHeadProps) {
  const service = serviceOf(panel, values);
  const ignored = !isFiltered(panel) && panel.kind !== "note" && Object.keys(tagsOf(values)).length > 0;
  return (
    <header className="flex min-h-12 items-center gap-2 px-4 pt-2 pb-1">
      <h2 className="min-w-0 truncate font-semibold tracking-tight" title={panel.title || panelName(panel)}>
        {panel.title || panelName(panel)}
      </h2>
      {service !== undefined && service !== "" && (
        <span className="min-w-0 shrink-[8] truncate text-label text-muted" title={service}>
          {service}
          {ignored && ", all versions and regions"}
        </span>
      )}
      <span className="ml-auto flex shrink-0 items-center">
        {controls ??
          (service !== undefined && service !== "" && <OpenLink panel={panel} service={service} />)}
      </span>
    </header>
  );
}

const openClass =
  "grid size-8 place-items-center rounded-control text-muted hover:bg-surface-2 hover:text-text max-md:size-10";

/** Leads to the page that shows more. */
function OpenLink({ panel, service }: { readonly panel: DashboardPanel; readonly service: string }) {
  const link = {
    "aria-label": `Open ${panel.title || panelName(panel)} of ${service}`,
    title: "Open",
    className: openClass,
    children: <ArrowUpRight aria-hidden className="size-4" strokeWidth={1.75} />,
  };
  if (panel.kind === "lane" && panel.route !== undefined)
    return (
      <Link
        to="/projects/$projectId/route"
        params={{ projectId: service }}
        search={httpRouteOf(panel.route)}
        {...link}
      />
    );
  return (
    <Link
      to="/profiles/service/$serviceName/$type"
      params={{ serviceName: service, type: tabOf(panel) }}
      {...link}
    />
  );
}

function tabOf(panel: DashboardPanel): string {
  if (panel.kind === "flame_graph" || panel.kind === "top") return panel.type;
  if (panel.kind === "alerts") return "alerts";
  return panel.kind === "lane" && isFiltered(panel) ? panel.figure : "http";
}

const noTags = {};

type PanelContentProps = Omit<PanelHeadProps, "controls"> & { readonly noService: string };

function PanelContent({ panel, values, noService }: PanelContentProps) {
  const time = useTimeRange();
  const service = serviceOf(panel, values);
  if (service === "") return <NoData>{noService}</NoData>;
  const Content = contentOf(panel.kind);
  const scope = { service: service ?? "", tags: isFiltered(panel) ? tagsOf(values) : noTags, time };
  return (
    <>
      {(panel.kind === "flame_graph" || panel.kind === "top") && <GraphAhead {...scope} type={panel.type} />}
      <Suspense fallback={<PanelSkeleton className={panel.kind === "lane" ? "h-16" : "h-80"} />}>
        <Content panel={panel} {...scope} />
      </Suspense>
    </>
  );
}
