import type { Profile } from "@flamekeep/contract";
import type { ReactNode } from "react";
import { Panel, type PanelQuery } from "#ui/content/panel.tsx";
import { Spinner } from "#ui/content/spinner.tsx";

export interface AnalysisProps {
  readonly profile: Profile;
  /** Finds a function in the flame graph. */
  readonly onFind: (functionName: string) => void;
}

interface AnalysisPanelProps<T extends { readonly explanation: string }> {
  readonly query: PanelQuery<T>;
  readonly type: string;
  readonly children: (chart: T) => ReactNode;
}

/** The states of an analysis, which begins with its explanation. */
export function AnalysisPanel<T extends { readonly explanation: string }>({
  query,
  type,
  children,
}: AnalysisPanelProps<T>) {
  return (
    <div className="min-h-[32rem]">
      <Panel
        query={query}
        loading={
          <div className="grid min-h-[32rem] place-items-center">
            <Spinner label={`Loading ${type} data`} />
          </div>
        }
        errorTitle={`Failed to load ${type} specific data. Please try again later.`}
      >
        {(chart) => (
          <div className="flex flex-col gap-6 p-4">
            <p className="max-w-[90ch] text-muted">{chart.explanation}</p>
            {children(chart)}
          </div>
        )}
      </Panel>
    </div>
  );
}

interface SectionProps {
  readonly title: string;
  readonly detail?: ReactNode;
  readonly children: ReactNode;
}

export function AnalysisSection({ title, detail, children }: SectionProps) {
  return (
    <section aria-label={title} className="min-w-0">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="font-semibold">{title}</h2>
        {detail && <span className="text-label text-muted">{detail}</span>}
      </div>
      {children}
    </section>
  );
}
