import { type GraphType, isSeparate } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { SideName } from "#comparison/model.ts";
import { LabelFilter } from "#sample-labels/label-filter.tsx";
import { noLabels } from "#sample-labels/model.ts";
import { profileLabelsQuery, serviceLabelsQuery } from "#sample-labels/queries.ts";
import { TagFilter } from "#sample-labels/tag-filter.tsx";
import { Button } from "#ui/controls/button.tsx";
import type { SideProps } from "./side-timeline.tsx";

type SideFiltersProps = Omit<SideProps, "window">;

/** The tags that the profiles of a side must have, and the labels of its samples: two versions are two sets of tags. */
export function SideFilters(props: SideFiltersProps) {
  const { name, compare, meta } = props;
  const side = meta[name];
  return (
    <>
      {side.profileId === null && (
        <Filter noun="Tags" name={name} isUsed={Object.keys(side.tags).length > 0}>
          {(isActive) => (
            <TagFilter
              label={`Tags of ${name}`}
              service={side.service}
              tab={typeOf(props)}
              range={{ from: side.from, to: side.to }}
              tags={side.tags}
              onChange={(tags) => compare.changeSide(name, { tags: noneAsUndefined(tags) })}
              isActive={isActive}
            />
          )}
        </Filter>
      )}
      <Filter noun="Labels" name={name} isUsed={side.labels !== undefined}>
        {(isActive) => <SideLabels {...props} isActive={isActive} />}
      </Filter>
    </>
  );
}

type Values = Readonly<Record<string, string>>;

function noneAsUndefined(values: Values): Values | undefined {
  return Object.keys(values).length === 0 ? undefined : values;
}

/** Wall time is stored as a custom profile. */
function typeOf({ compare, meta }: SideFiltersProps): GraphType {
  const { type: chosen } = compare.search;
  return chosen !== undefined && isSeparate(chosen) ? chosen : (meta.type as GraphType);
}

interface FilterProps {
  readonly noun: "Tags" | "Labels";
  readonly name: SideName;
  readonly isUsed: boolean;
  /** @param isActive whether somebody has just asked for the field */
  readonly children: (isActive: boolean) => ReactNode;
}

/** A button until somebody needs the field. */
function Filter({ noun, name, isUsed, children }: FilterProps) {
  const [isAsked, setAsked] = useState(false);
  if (isUsed || isAsked) return children(isAsked);
  return (
    <Button size="sm" variant="ghost" aria-label={`${noun} of ${name}`} onClick={() => setAsked(true)}>
      <Plus aria-hidden className="size-3.5" strokeWidth={1.75} />
      {noun}
    </Button>
  );
}

function SideLabels(props: SideFiltersProps & { readonly isActive: boolean }) {
  const { name, compare, meta, sampleType, isActive } = props;
  const side = meta[name];
  const all = { sampleType: sampleType === "" ? undefined : sampleType, labels: noLabels };
  const range = { from: side.from, to: side.to };
  const ofService = useQuery({
    ...serviceLabelsQuery({ ...all, service: side.service, type: typeOf(props), range, tags: side.tags }),
    enabled: side.profileId === null,
  });
  const ofProfile = useQuery({
    ...profileLabelsQuery({ ...all, id: side.profileId ?? "" }),
    enabled: side.profileId !== null,
  });
  const { data: found } = side.profileId === null ? ofService : ofProfile;
  const labels = side.labels ?? noLabels;
  if (found?.keys.length === 0 && side.labels === undefined)
    return <p className="self-center text-label text-muted">No labels on these samples</p>;
  return (
    <LabelFilter
      label={`Labels of ${name}`}
      found={found}
      labels={labels}
      onChange={(next) => compare.changeSide(name, { labels: next })}
      isActive={isActive}
    />
  );
}
