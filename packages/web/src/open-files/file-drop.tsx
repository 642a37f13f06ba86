import { FileUp } from "lucide-react";
import { Suspense } from "react";
import { lazyPart } from "#api/import-page.ts";
import { useIsDemo, useMayChange } from "#session/session.ts";
import { chooseFiles, useChosenFiles } from "./chosen-files.ts";
import { useDraggedFiles } from "./use-dragged-files.ts";

const FilesDialog = lazyPart(async () => (await import("./files-dialog.tsx")).FilesDialog);

/** Takes files that are dropped anywhere on the page. An overlay says so while they are dragged; a dialog then asks about them. */
export function FileDrop() {
  const mayChange = useMayChange();
  const files = useChosenFiles();
  const isOpen = files !== undefined;
  const isDragged = useDraggedFiles(mayChange && !isOpen, chooseFiles);
  return (
    <>
      {isDragged && !isOpen && <DropOverlay mayChange={mayChange} />}
      <Suspense>
        {files !== undefined && <FilesDialog files={files} onClose={() => chooseFiles(undefined)} />}
      </Suspense>
    </>
  );
}

function DropOverlay({ mayChange }: { readonly mayChange: boolean }) {
  const isDemo = useIsDemo();
  const refusal = isDemo ? "The demo is read-only" : "Viewers cannot add profiles";
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-0 z-50 grid place-items-center bg-[oklch(0.12_0.01_60/0.5)] p-4"
    >
      <div className="flex flex-col items-center gap-2 rounded-card border-2 border-accent border-dashed bg-surface px-8 py-7 text-center shadow-float">
        <FileUp aria-hidden className="size-6 text-accent-text" strokeWidth={1.75} />
        <p className="font-semibold text-card">{mayChange ? "Drop to open" : refusal}</p>
        <p className="text-muted">
          {mayChange
            ? "Profiles of any format that this server reads, up to 100 at once."
            : isDemo
              ? "Sign in to an organization of your own to open files."
              : "Ask an admin of your organization for the role member."}
        </p>
      </div>
    </div>
  );
}
