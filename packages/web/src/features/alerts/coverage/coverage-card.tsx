import {
  type AlertCoverage,
  getAlertCoverage,
  limits,
  type listServices,
  type ReplyOf,
} from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { EyeOff, Lightbulb } from "lucide-react";
import { useState } from "react";
import { callQuery } from "#api/call-query.ts";
import { useServiceNames } from "#profile-list/service-field.tsx";
import { refreshSteps } from "#time-range/refresh-steps.ts";
import { Message } from "#ui/content/message.tsx";
import { Panel, PanelCard, type PanelQuery } from "#ui/content/panel.tsx";
import { SkeletonBlocks } from "#ui/content/skeleton.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { ListedInput } from "#ui/controls/listed-input.tsx";
import { CoverageTable } from "./coverage-table.tsx";

interface CoverageCardProps {
  /** The first service by name of those that sent profiles in the last week. */
  readonly first: PanelQuery<ReplyOf<typeof listServices>>;
  /** The chosen service; the first one if undefined. */
  readonly service: string | undefined;
  /** Empty for the first one again. */
  readonly onChange: (service: string) => void;
}

/** The smallest rise that alerts find in each signal of a service, and how fast. */
export function CoverageCard({ first, service, onChange }: CoverageCardProps) {
  const [typed, setTyped] = useState("");
  const offered = useServiceNames(typed) ?? [];
  const chosen = service ?? first.data?.services[0]?.name;
  return (
    <PanelCard
      className="min-w-0"
      title="Detection limits"
      detail="The smallest sustained increase detected 9 times out of 10, and how long it takes."
      actions={
        chosen !== undefined && (
          <ListedInput
            aria-label="Service of the listed signals"
            value={chosen}
            options={offered}
            maxLength={limits.serviceNameLengthMax}
            onChange={onChange}
            onType={setTyped}
            className="w-52! max-sm:w-full!"
          />
        )
      }
      query={first}
      loading={skeleton}
      errorTitle="Failed to load the services"
      empty={() => (chosen === undefined ? <NoServices /> : null)}
    >
      {() => chosen !== undefined && <ServiceCoverage service={chosen} />}
    </PanelCard>
  );
}

function ServiceCoverage({ service }: { readonly service: string }) {
  const query = useQuery(coverageQuery(service));
  return (
    <Panel
      query={query}
      loading={skeleton}
      errorTitle="Failed to load detection limits"
      empty={({ message }) =>
        message === null ? null : (
          <div className="border-line border-t">
            <Message icon={EyeOff} title={`${service} has not been evaluated yet`}>
              <p>{message}</p>
            </Message>
          </div>
        )
      }
    >
      {(coverage) => (
        <>
          <p className="border-line border-t px-4 py-2.5 tabular-nums">{coverage.false_alarms.text}</p>
          <Improvements coverage={coverage} />
          <CoverageTable key={service} signals={coverage.signals} />
          <p className="border-line border-t px-4 py-2.5 text-label text-muted">
            Computed <RelativeTime at={coverage.judged_at ?? ""} /> from the current thresholds, for an
            increase of the whole service at constant traffic.
          </p>
        </>
      )}
    </Panel>
  );
}

function Improvements({ coverage: { improvements } }: { readonly coverage: AlertCoverage }) {
  if (improvements.length === 0) return null;
  return (
    <section aria-label="Improvements" className="border-line border-t bg-info/6 px-4 py-3">
      <ul className="flex flex-col gap-1.5">
        {improvements.map(({ code, text }) => (
          <li key={code} className="flex gap-2">
            <Lightbulb aria-hidden className="mt-0.5 size-4 shrink-0 text-info" strokeWidth={1.75} />
            <span className="max-w-prose">{text}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function NoServices() {
  return (
    <div className="border-line border-t">
      <Message icon={EyeOff} title="No service sent profiles in the last week">
        <p>Alerts watch every service from its first hour of profiles.</p>
      </Message>
    </div>
  );
}

const skeleton = (
  <SkeletonBlocks
    label="Loading detection limits"
    count={3}
    className="h-9 w-full"
    layoutClass="flex flex-col gap-3 border-line border-t p-4"
  />
);

function coverageQuery(service: string) {
  return callQuery(
    ["alert-coverage", service],
    getAlertCoverage,
    { params: { service } },
    { refetchInterval: refreshSteps.graphMs },
  );
}
