import type { Alert } from "@flamekeep/contract";
import { useNavigate } from "@tanstack/react-router";
import { Sparkles } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { alertPage, alertSentence } from "#alert-list/model.ts";
import { importPage } from "#api/import-page.ts";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { Button } from "#ui/controls/button.tsx";
import { Dialog } from "#ui/overlays/dialog.tsx";

const AnalysisView = lazy(async () => ({
  default: (await importPage(() => import("#ai-analysis/analysis-card.tsx"))).AnalysisView,
}));

/** Analyzes the range of an alert against the one before: what changed and what to do. */
export function WhatChanged({ alert }: { readonly alert: Alert }) {
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  const { service, profile_type: type, previous_range: baseline, current_range: range } = alert;
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
              name="what changed"
              onFind={(find, sampleType) => {
                const page = alertPage(alert, Date.now());
                void navigate({ ...page, search: { ...page.search, find, sample_type: sampleType } });
              }}
            />
          </Suspense>
        </div>
      </Dialog>
    </>
  );
}
