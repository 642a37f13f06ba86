import type { Profile } from "@flamekeep/contract";
import { type FlameView, fromLinkParams, isStep, toLinkParams, unzoomed } from "@flamekeep/flame";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Suspense } from "react";
import { AddToDashboard } from "#add-to-dashboard/add-to-dashboard.tsx";
import { panelsOfProfiles } from "#add-to-dashboard/panel-names.ts";
import { lazyPart } from "#api/import-page.ts";
import { FlameGraph } from "#flame-graph/flame-graph.tsx";
import { bringIntoView, flamePanel, viewOfFunction } from "#flame-graph/frame/wanted-function.ts";
import { Grouping } from "#flame-graph/toolbar/grouping.tsx";
import { groupingOf, groupingParams } from "#flame-graph/toolbar/grouping-params.ts";
import { profileTypeLabel } from "#format/names.ts";
import { mainSample, sampleTypeLabel } from "#format/sample-value.ts";
import { exactTime } from "#format/time.ts";
import { useZone } from "#preferences/time-zone.ts";
import { noLabels } from "#sample-labels/model.ts";
import { Card } from "#ui/content/card.tsx";
import { Select } from "#ui/controls/select.tsx";
import { Tabs } from "#ui/controls/tabs.tsx";
import { useIsWide } from "#ui/hooks/use-media.ts";
import { analysisTitles, readingOf } from "./model.ts";
import { flameGraphQuery, readFlameGraph } from "./queries.ts";

// Loaded after the graph, which does not wait for it.
const ProfileLabelFilter = lazyPart(async () => (await import("./profile-labels.tsx")).ProfileLabelFilter);

// Few profiles have it, in a second tab.
const Analysis = lazyPart(async () => (await import("./analysis/analysis.tsx")).Analysis);

const from = "/protected/profile/$profileId";

/** Shows a function in the flame graph: selects it there, zooms to its widest place and scrolls to it. */
export function useFindFunction(profile: Profile): (name: string, sampleType?: string) => void {
  const usual = mainSample(profile.type, profile.sample_types)?.type;
  const navigate = useNavigate({ from: "/profile/$profileId" });
  return (name, sampleType) => {
    void navigate({
      search: ({ sample_type: current, lines, generics, labels, by_label, ...search }) => {
        const next = sampleType ?? current;
        return {
          ...(next !== undefined && next !== usual && { sample_type: next }),
          // The function is looked for among the samples on screen.
          lines,
          generics,
          labels,
          by_label,
          ...toLinkParams(viewOfFunction(fromLinkParams(search), name)),
        };
      },
      resetScroll: false,
    });
    bringIntoView(name);
  };
}

/** The flame graph, and for types that have one a second tab with their analysis. */
export function FlamePanel({ profile }: { readonly profile: Profile }) {
  const { tab } = useSearch({ from });
  const navigate = useNavigate({ from: "/profile/$profileId" });
  const find = useFindFunction(profile);
  const analysisTitle = analysisTitles[profile.display_type];
  const graph = <ProfileGraph profile={profile} />;
  return (
    <Card {...flamePanel}>
      {analysisTitle === undefined ? (
        <>
          <h2 className="sr-only">Flame graph</h2>
          {graph}
        </>
      ) : (
        <Tabs
          label="Views of the profile"
          value={tab ?? "flame-graph"}
          items={[
            { value: "flame-graph", label: "Flame Graph" },
            { value: "analysis", label: analysisTitle },
          ]}
          onChange={(next) => {
            const chosen = next === "analysis" ? { tab: next } : { tab: undefined };
            void navigate({ search: (search) => ({ ...search, ...chosen }), resetScroll: false });
          }}
          isFlush
        >
          {tab === "analysis" ? (
            <Suspense fallback={<div className="min-h-[32rem]" />}>
              <Analysis profile={profile} onFind={find} />
            </Suspense>
          ) : (
            graph
          )}
        </Tabs>
      )}
    </Card>
  );
}

/** Zoom, search, colours and sample type are in the URL, so that a shared link shows the same view. */
function ProfileGraph({ profile }: { readonly profile: Profile }) {
  const search = useSearch({ from });
  const navigate = useNavigate({ from: "/profile/$profileId" });
  const isWide = useIsWide();
  const zone = useZone();
  const graph = {
    id: profile.profile_id,
    sampleType: search.sample_type,
    grouping: groupingOf(search),
    labels: search.labels ?? noLabels,
    byLabel: search.by_label,
  };
  const query = useQuery(flameGraphQuery(graph));
  const chosen = search.sample_type ?? mainSample(profile.type, profile.sample_types)?.type ?? "";

  const view = fromLinkParams(search);

  function show(next: FlameView, { sampleType, grouping, labels, byLabel } = graph) {
    void navigate({
      search: {
        ...(sampleType !== undefined && { sample_type: sampleType }),
        ...groupingParams(grouping),
        ...(Object.keys(labels).length > 0 && { labels }),
        ...(byLabel !== undefined && { by_label: byLabel }),
        ...toLinkParams(next),
      },
      replace: !isStep(view, next),
      resetScroll: false,
    });
  }

  return (
    <FlameGraph
      query={query}
      readStored={() => readFlameGraph(graph, { hasStoredFrames: true })}
      program={{ service: profile.service, version: profile.tags.version }}
      profileId={profile.profile_id}
      titleOf={() =>
        `${profile.service} · ${profileTypeLabel(profile.display_type)} · ${exactTime(profile.timestamp, zone)}`
      }
      note={isWide ? readingOf(profile) : undefined}
      view={view}
      onViewChange={(next) => show(next)}
      actions={
        <>
          <Suspense>
            <ProfileLabelFilter
              id={graph.id}
              sampleType={graph.sampleType}
              labels={graph.labels}
              onChange={(labels = noLabels) => show(unzoomed(view), { ...graph, labels })}
            />
          </Suspense>
          <SampleTypeSelect
            profile={profile}
            value={chosen}
            onChange={(sampleType) => show(unzoomed(view), { ...graph, sampleType })}
          />
          {profile.display_type !== "metrics" && (
            <AddToDashboard panels={panelsOfProfiles(profile.service, profile.display_type)} />
          )}
        </>
      }
      transformItems={
        <Grouping
          grouping={graph.grouping}
          onChange={(grouping) => show(unzoomed(view), { ...graph, grouping })}
        />
      }
    />
  );
}

interface SampleTypeSelectProps {
  readonly profile: Profile;
  readonly value: string;
  readonly onChange: (sampleType: string) => void;
}

/** A profile often measures several things at once: bytes and objects, in use and allocated. */
function SampleTypeSelect({ profile, value, onChange }: SampleTypeSelectProps) {
  if (profile.sample_types.length < 2) return null;
  const options = profile.sample_types.map(({ type }) => ({ value: type, label: sampleTypeLabel(type) }));
  return (
    <Select
      label="Sample type"
      size="sm"
      value={value}
      options={options}
      onChange={onChange}
      className="min-w-28"
    />
  );
}
