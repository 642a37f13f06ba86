import type { Alert } from "@flamekeep/contract";
import { defaultFlameView, toLinkParams } from "@flamekeep/flame";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Sparkles } from "lucide-react";
import { lazy, Suspense } from "react";
import { alertComparison, alertSentence } from "#alert-list/model.ts";
import { importPage } from "#api/import-page.ts";
import { bringIntoView, viewOfFunction } from "#flame-graph/frame/wanted-function.ts";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { Button } from "#ui/controls/button.tsx";
import { Dialog } from "#ui/overlays/dialog.tsx";

const AnalysisView = lazy(async () => ({
  default: (await importPage(() => import("#ai-analysis/analysis-card.tsx"))).AnalysisView,
}));

/** Analyzes the range of an alert against the one before: what changed and what to do. Open or not is in the URL. */
export function WhatChanged({ alert }: { readonly alert: Alert }) {
  const navigate = useNavigate();
  const { analysis: openId } = useSearch({ from: "/protected/alerts" });
  const isOpen = openId === alert.id;
  const { service, profile_type: type, previous_range: baseline, current_range: range } = alert;
  const comparison = alertComparison(alert);

  function setIsOpen(open: boolean) {
    void navigate({
      from: "/alerts",
      search: (search) => ({ ...search, analysis: open ? alert.id : undefined }),
      replace: !open,
      resetScroll: false,
    });
  }

  /** In the comparison of the two ranges, whose colours show what grew. */
  function find(name: string, sampleType: string | undefined) {
    bringIntoView(name);
    void navigate({
      ...comparison,
      search: {
        ...comparison.search,
        ...toLinkParams(viewOfFunction(defaultFlameView, name)),
        ...(sampleType !== undefined && { sample_type: sampleType }),
      },
    });
  }

  return (
    <>
      <Button
        variant="ghost"
        size="icon"
        className="md:size-7!"
        aria-label={`What changed in ${service}, and what to do`}
        title="What changed, and what to do"
        onClick={() => setIsOpen(true)}
      >
        <Sparkles aria-hidden className="size-4" strokeWidth={1.75} />
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        title="What changed, and what to do"
        description={alertSentence(alert)}
        size="wide"
      >
        <div className="@container -mx-5 -mb-5">
          <Suspense fallback={<Skeleton className="mx-5 mb-5 h-48" />}>
            <AnalysisView
              subject={{ kind: "range", service, type, range, tags: {}, baseline }}
              offer="Find out what changed and what to do"
              onFind={find}
              header={(about, rerun) =>
                rerun && (
                  <div className="flex items-center justify-between gap-4 px-4 pb-2 text-label text-muted">
                    <span>{about}</span>
                    {rerun}
                  </div>
                )
              }
            />
          </Suspense>
        </div>
      </Dialog>
    </>
  );
}
