import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { ProjectTime } from "#project/parts/project-time.ts";
import { Section } from "#project/parts/section.tsx";
import { type AnalyticsTab, HttpAnalytics } from "./http-analytics.tsx";
import { type HttpTab, HttpTimelineCard } from "./http-timeline-card.tsx";
import { RequestCharts } from "./request-charts.tsx";

interface HttpSearch {
  readonly http?: HttpTab;
  readonly endpoints?: AnalyticsTab;
}

interface HttpSectionsProps {
  readonly time: ProjectTime;
  /** Shown before the endpoints. */
  readonly between?: ReactNode;
}

/** The requests of a service, over time and by endpoint. */
export function HttpSections({ time, between }: HttpSectionsProps) {
  const { http, endpoints }: HttpSearch = useSearch({ strict: false });
  const navigate = useNavigate();

  function change(part: HttpSearch) {
    const search = (before: Record<string, unknown>) => ({ ...before, ...part });
    void navigate({ to: ".", search, replace: true, resetScroll: false });
  }

  return (
    <>
      <Section id="http">
        <HttpTimelineCard time={time} tab={http ?? "requests"} onTab={(next) => change({ http: next })} />
      </Section>
      <RequestCharts time={time} />
      {between}
      <Section id="paths">
        <HttpAnalytics
          time={time}
          tab={endpoints ?? "popular"}
          onTab={(next) => change({ endpoints: next })}
        />
      </Section>
    </>
  );
}
