import type { ServiceTotals } from "@flamekeep/contract";
import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { plural } from "#format/number.ts";
import { RelativeTime } from "#ui/content/values.tsx";
import { typeShares } from "./model.ts";
import { TypeBar } from "./type-bar.tsx";

interface ServiceCardProps {
  readonly service: ServiceTotals;
  readonly leadsTo: "profiles" | "project";
}

export function ServiceCard({ service, leadsTo }: ServiceCardProps) {
  const { name } = service;
  const target =
    leadsTo === "project"
      ? ({ to: "/projects/$projectId", params: { projectId: name } } as const)
      : ({ to: "/profiles/service/$serviceName", params: { serviceName: name } } as const);
  return (
    <Link
      {...target}
      className="group flex flex-col rounded-card border border-line bg-surface p-4 transition-colors duration-150 hover:border-line-strong hover:bg-surface-2/40"
    >
      <span className="flex items-start gap-2">
        <span className="min-w-0 flex-1 truncate font-semibold text-card tracking-tight" title={service.name}>
          {service.name}
        </span>
        <ChevronRight
          aria-hidden
          className="mt-1 size-4 text-muted opacity-0 transition-opacity duration-150 group-hover:opacity-100 group-focus-visible:opacity-100"
        />
      </span>
      <span className="mb-4 text-label text-muted">
        {plural(service.total_profiles ?? 0, "profile")} · <RelativeTime at={service.last_activity} />
      </span>
      <span className="mt-auto block">
        <TypeBar shares={typeShares(service.profiles_by_display_type)} />
      </span>
    </Link>
  );
}

export const serviceGridClass = "grid grid-cols-[repeat(auto-fill,minmax(min(280px,100%),1fr))] gap-4";
