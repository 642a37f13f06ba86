import { LayoutGrid } from "lucide-react";
import { Suspense, useState } from "react";
import { lazyPart } from "#api/import-page.ts";
import { useMayChange } from "#session/session.ts";
import { Button } from "#ui/controls/button.tsx";
import type { NewPanel } from "./panel-names.ts";

const AddDialog = lazyPart(async () => (await import("./add-dialog.tsx")).AddDialog);

interface AddToDashboardProps {
  /** The panels that the dialog offers, the first one chosen. */
  readonly panels: readonly NewPanel[];
  /** Without its text, in narrow cards. */
  readonly isIcon?: boolean;
}

/** Adds what is on screen to a dashboard. Nothing for people who only read. */
export function AddToDashboard({ panels, isIcon = false }: AddToDashboardProps) {
  const [isOpen, setOpen] = useState(false);
  if (!useMayChange()) return null;
  return (
    <>
      <Button size="sm" className="h-8" title="Add to dashboard" onClick={() => setOpen(true)}>
        <LayoutGrid aria-hidden className="size-4" strokeWidth={1.75} />
        <span className={isIcon ? "sr-only" : "max-2xl:sr-only"}>Add to dashboard</span>
      </Button>
      {isOpen && (
        <Suspense>
          <AddDialog panels={panels} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
