import type { RouteTime } from "@flamekeep/contract";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Suspense } from "react";
import { lazyPart } from "#api/import-page.ts";
import { percentText, plural } from "#format/number.ts";
import { BlockSkeleton, Empty } from "#project/parts/parts.tsx";
import { PanelCard, type PanelQuery } from "#ui/content/panel.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { Select } from "#ui/controls/select.tsx";
import { barText, evidenceOf, secondsText, type TimeBar, type TimeSegment, timeBar } from "./model.ts";

const AddLabel = lazyPart(async () => (await import("./add-label.tsx")).AddLabel);

/** The mean latency of the route as one bar: what profiles tell of it, and the rest. */
export function TimeCard({ query }: { readonly query: PanelQuery<RouteTime> }) {
  const { data } = query;
  return (
    <PanelCard
      className="min-w-0"
      title="Where the time goes"
      detail={data === undefined ? "The mean latency of a request" : detailOf(data)}
      actions={data !== undefined && data.labels.length > 0 && <LabelSelects time={data} />}
      query={query}
      loading={<BlockSkeleton label="Loading the latency breakdown" className="h-32" />}
      errorTitle="Failed to load the latency breakdown"
      empty={(time) => (time.mean_seconds === null ? <Empty title="No requests in this range" /> : null)}
    >
      {(time) => <Content time={time} />}
    </PanelCard>
  );
}

function detailOf({ requests, methods, method, label }: RouteTime): string {
  const all = method === null && methods.length > 1 ? " with all methods, because the label names none" : "";
  const mean = `The mean latency of ${plural(requests, "request")}${label === null ? "" : all}`;
  return label === null ? mean : `${mean}. Profiles: ${label.name} = ${label.value}`;
}

function Content({ time }: { readonly time: RouteTime }) {
  const bar = timeBar(time);
  if (bar === undefined) return null;
  return (
    <div className="px-4 pb-4">
      <p className="mb-2 font-semibold text-stat tracking-tight">{secondsText(time.mean_seconds)}</p>
      <Bar bar={bar} />
      <dl className="mt-3 grid grid-cols-2 gap-x-6 gap-y-3 lg:grid-cols-4">
        {bar.segments.map((segment) => (
          <Part key={segment.id} segment={segment} />
        ))}
      </dl>
      {bar.excessSeconds !== undefined && (
        <p className="mt-3 text-label text-muted">
          The parts add up to {secondsText(bar.excessSeconds)}, more than the latency: parallel work counts in
          full.
        </p>
      )}
      {time.label === null ? (
        <Suspense fallback={<Skeleton className="mt-4 h-64" />}>
          <AddLabel
            labels={time.labels.map(({ name }) => name)}
            path={time.path}
            method={time.method ?? ""}
          />
        </Suspense>
      ) : (
        <Evidence time={time} />
      )}
    </div>
  );
}

/** Where the figures come from, one line for each kind of profile. */
function Evidence({ time }: { readonly time: RouteTime }) {
  return (
    <ul className="mt-3 flex flex-col gap-0.5 text-label text-muted">
      {evidenceOf(time.parts).map((text) => (
        <li key={text} className="wrap-anywhere">
          {text}
        </li>
      ))}
    </ul>
  );
}

function Bar({ bar }: { readonly bar: TimeBar }) {
  return (
    <div
      role="img"
      aria-label={barText(bar)}
      className="flex h-6 gap-px overflow-hidden rounded-control bg-surface-2 forced-colors:border"
    >
      {bar.segments.map(
        ({ id, label, width, color, seconds }) =>
          width > 0 && (
            <span
              key={id}
              title={`${label}: ${secondsText(seconds)}`}
              className="min-w-px"
              style={{ width: `${100 * width}%`, background: `var(--${color})` }}
            />
          ),
      )}
    </div>
  );
}

function Part({ segment: { label, detail, seconds, width, color } }: { readonly segment: TimeSegment }) {
  return (
    <div className="min-w-0">
      <dt className="flex items-center gap-1.5">
        <span
          aria-hidden
          className="size-2.5 shrink-0 rounded-[2px]"
          style={{ background: `var(--${color})` }}
        />
        {label}
      </dt>
      <dd className="font-semibold text-card">
        {secondsText(seconds)}
        {seconds !== null && (
          <span className="ml-2 font-normal text-label text-muted">{percentText(100 * width)}</span>
        )}
      </dd>
      <dd className="text-label text-muted">{detail}</dd>
    </div>
  );
}

/** The label that names the route, and its value. */
function LabelSelects({ time: { label, labels } }: { readonly time: RouteTime }) {
  const { label: asked } = useSearch({ from: "/protected/projects/$projectId/route" });
  const navigate = useNavigate({ from: "/projects/$projectId/route" });
  const choose = (name: string, value: string | undefined) =>
    void navigate({
      search: (before) => ({ ...before, label: name, label_value: value }),
      replace: true,
      resetScroll: false,
    });
  const name = label?.name ?? asked ?? "";
  const values = labels.find((each) => each.name === name)?.values ?? [];
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Select
        label="Label that names the route"
        size="sm"
        value={name}
        options={optionsOf(
          "Choose a label",
          name,
          labels.map((each) => each.name),
        )}
        onChange={(next) => choose(next, undefined)}
        className="max-w-48"
      />
      {name !== "" && (
        <Select
          label="Label value of this route"
          size="sm"
          value={label?.value ?? ""}
          options={optionsOf("Choose a value", label?.value ?? "", values)}
          onChange={(value) => choose(name, value)}
          className="max-w-64"
        />
      )}
    </div>
  );
}

/** The names with the chosen one, which may be missing, or with a text in place of one. */
function optionsOf(nothing: string, chosen: string, names: readonly string[]) {
  return [...new Set([chosen, ...names])].map((value) => ({ value, label: value === "" ? nothing : value }));
}
