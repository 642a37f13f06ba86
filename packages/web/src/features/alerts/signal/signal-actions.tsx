import type { Alert } from "@flamekeep/contract";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Sparkles } from "lucide-react";
import { Suspense } from "react";
import { CompareLink } from "#alert-list/compare-link.tsx";
import { HandlingMenu } from "#alert-list/handling-menu.tsx";
import { MuteMenu } from "#alert-list/mute-menu.tsx";
import { alertSentence } from "#alert-list/values.ts";
import { lazyPart } from "#api/import-page.ts";
import { useMayChange } from "#session/session.ts";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { Button } from "#ui/controls/button.tsx";
import { Dialog } from "#ui/overlays/dialog.tsx";

/** The actions of one signal: explain, compare, mute, acknowledge, mark as expected. */
export function SignalActions({ alert }: { readonly alert: Alert }) {
  const mayChange = useMayChange();
  return (
    <span className="flex items-center justify-end">
      {alert.signal !== "silence" && <WhatChanged alert={alert} />}
      <CompareLink alert={alert} />
      {mayChange && <MuteMenu alert={alert} />}
      {mayChange && <HandlingMenu alert={alert} />}
    </span>
  );
}

const AlertAnalysis = lazyPart(async () => (await import("./alert-analysis.tsx")).AlertAnalysis);

/** Opens the analysis of an alert. Open or not is in the URL. */
function WhatChanged({ alert }: { readonly alert: Alert }) {
  const navigate = useNavigate();
  const { analysis: openId } = useSearch({ from: "/protected/alerts" });
  const isOpen = openId === alert.id;

  function setIsOpen(open: boolean) {
    void navigate({
      from: "/alerts",
      search: (search) => ({ ...search, analysis: open ? alert.id : undefined }),
      replace: !open,
      resetScroll: false,
    });
  }

  return (
    <>
      <Button
        variant="ghost"
        size="icon"
        className="md:size-7!"
        aria-label={`What changed in ${alert.service}, and what to do`}
        title="What changed, and what to do"
        onClick={() => setIsOpen(true)}
      >
        <Sparkles aria-hidden className="size-4" strokeWidth={1.75} />
      </Button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title="What changed, and what to do"
        description={alertSentence(alert)}
        size="wide"
      >
        <div className="@container -mx-5 -mb-5">
          <Suspense fallback={<Skeleton className="mx-5 mb-5 h-48" />}>
            <AlertAnalysis alert={alert} />
          </Suspense>
        </div>
      </Dialog>
    </>
  );
}
