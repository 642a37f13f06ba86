import type { Profile } from "@flamekeep/contract";
import { Link, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { durationMsMeasure } from "#format/measure.ts";
import { mainSample, namedSampleMeasure, sampleTypeLabel } from "#format/sample-value.ts";
import { Badge } from "#ui/content/badge.tsx";
import { Quantity } from "#ui/content/values.tsx";
import { shownTags } from "./model.ts";
import { fromFirstPage } from "./use-table-search.ts";

/** The profile's total in the unit of its main sample type. */
export function ProfileTotal({ profile }: { readonly profile: Profile }) {
  const main = mainSample(profile.type, profile.sample_types);
  if (main === undefined) return <span className="text-muted">N/A</span>;
  return (
    <span title={sampleTypeLabel(main.type)} className="inline-block max-w-40 truncate align-bottom">
      <Quantity value={namedSampleMeasure(main.total, main.type, main.unit)} />
    </span>
  );
}

/** How long the profile was recorded. Snapshots have no duration. */
export function ProfileDuration({ profile }: { readonly profile: Profile }) {
  const durationMs = profile.statistics?.duration_ms ?? 0;
  if (durationMs === 0) return <span className="text-muted">N/A</span>;
  return <Quantity value={durationMsMeasure(durationMs)} />;
}

interface TagListProps {
  readonly tags: Readonly<Record<string, string>>;
  readonly limit: number;
  /** A click on a tag shows the profiles of this service that have it. */
  readonly service?: string;
}

export function TagList({ tags, limit, service }: TagListProps) {
  const { shown, hidden } = shownTags(tags, limit);
  if (shown.length === 0) return <span className="whitespace-nowrap text-muted">No tags</span>;
  return (
    <span className="flex min-w-0 items-center gap-1">
      {shown.map(([key, value]) => {
        const tag = (
          <Badge title={`${key}: ${value}`} className="w-full">
            <span className="truncate">
              {key}: <span className="text-text">{value}</span>
            </span>
          </Badge>
        );
        return (
          <span key={key} className="flex min-w-14 max-w-44 shrink">
            {service === undefined ? (
              tag
            ) : (
              <TagLink service={service} name={key} value={value}>
                {tag}
              </TagLink>
            )}
          </span>
        );
      })}
      {hidden.length > 0 && (
        <span
          className="shrink-0 text-label text-muted"
          title={hidden.map(([key, value]) => `${key}: ${value}`).join("\n")}
        >
          +{hidden.length} more
        </span>
      )}
    </span>
  );
}

interface TagLinkProps {
  readonly service: string;
  readonly name: string;
  readonly value: string;
  readonly children: ReactNode;
}

/** Leads to the service's page with the tag as a filter; there it adds the filter and leaves the rest as it is. */
function TagLink({ service, name, value, children }: TagLinkProps) {
  const { serviceName, type } = useParams({ strict: false });
  const isHere = serviceName === service;
  const search = (before: Record<string, unknown>) => {
    const kept = isHere ? { ...before, ...fromFirstPage } : {};
    const tags = isHere && typeof before.tags === "object" ? before.tags : {};
    return { ...kept, tags: { ...tags, [name]: value } };
  };
  const target =
    isHere && type !== undefined
      ? ({ to: "/profiles/service/$serviceName/$type", params: { serviceName: service, type } } as const)
      : ({ to: "/profiles/service/$serviceName", params: { serviceName: service } } as const);
  return (
    <Link
      {...target}
      search={search}
      resetScroll={!isHere}
      aria-label={`Only ${name}: ${value}`}
      className="flex min-w-0 rounded-badge hover:ring-1 hover:ring-line-strong"
    >
      {children}
    </Link>
  );
}
