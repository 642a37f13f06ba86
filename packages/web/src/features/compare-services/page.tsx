import { useQueries } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Columns2 } from "lucide-react";
import type { ReactNode } from "react";
import { projectQuery } from "#groups/queries.ts";
import { TimeRangeControl } from "#time-range/time-range-control.tsx";
import { Card } from "#ui/content/card.tsx";
import { Message } from "#ui/content/message.tsx";
import { AddSide } from "./add-side.tsx";
import { FiguresCard } from "./figures-card.tsx";
import { HottestFunctions } from "./hottest-functions.tsx";
import { type Side, sideOfProject, sideOfService } from "./model.ts";
import { sidesMax } from "./search.ts";
import { SharedFunctions } from "./shared-functions.tsx";

/** Two to four services or groups of services side by side. They are in the address. */
export function CompareServicesPage(): ReactNode {
  const { service: services = [], project: projects = [] } = useSearch({
    from: "/protected/compare/services",
  });
  const sides = useSides(projects, services);
  const navigate = useNavigate({ from: "/compare/services" });
  const change = (next: { readonly service: readonly string[]; readonly project: readonly string[] }) =>
    void navigate({
      search: (before) => ({
        ...before,
        service: next.service.length === 0 ? undefined : next.service,
        project: next.project.length === 0 ? undefined : next.project,
      }),
      resetScroll: false,
    });
  const remove = ({ project, label }: Side) =>
    change({
      service: project === undefined ? services.filter((each) => each !== label) : services,
      project: projects.filter((each) => each !== project),
    });
  const field = (
    <AddSide
      services={services}
      projects={projects}
      onService={(name) => change({ service: [...services, name], project: projects })}
      onProject={(id) => change({ service: services, project: [...projects, id] })}
    />
  );
  const known = sides.filter((side) => side.services.length > 0);
  return (
    <>
      <div className="mb-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        {sides.length > 0 && field}
        <div className="ml-auto max-sm:ml-0">
          <TimeRangeControl />
        </div>
      </div>
      {sides.length === 0 ? (
        <NoSides field={field} />
      ) : (
        <div className="flex flex-col gap-4">
          <FiguresCard sides={sides} onRemove={remove} />
          <HottestFunctions sides={known} />
          {sides.length === 1 && <OneSide />}
          {known.length > 1 && <SharedFunctions sides={known} />}
        </div>
      )}
    </>
  );
}

/** Groups first, then services. Four at most: an address may name four of each. */
function useSides(projects: readonly string[], services: readonly string[]): readonly Side[] {
  const found = useQueries({ queries: projects.map(projectQuery) });
  const groups = projects.map((id, at) => {
    const { data, error } = found[at]!;
    return sideOfProject(id, data?.project ?? (error === null ? undefined : null));
  });
  return [...groups, ...services.map(sideOfService)].slice(0, sidesMax);
}

function NoSides({ field }: { readonly field: ReactNode }) {
  return (
    <Card>
      <Message icon={Columns2} title="Choose the services to compare" actions={field}>
        <p>
          Up to {sidesMax} services or projects side by side: cores, memory, CPU per request, latency and
          errors, their hottest functions, and the library functions that they share.
        </p>
      </Message>
    </Card>
  );
}

function OneSide() {
  return (
    <Card>
      <Message icon={Columns2} title="Add a second service">
        <p>Its figures appear next to these, with the library functions that both call.</p>
      </Message>
    </Card>
  );
}
