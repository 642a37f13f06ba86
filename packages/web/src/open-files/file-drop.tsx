import { FileUp } from "lucide-react";
import { Suspense, useEffect, useState } from "react";
import { lazyPart } from "#api/import-page.ts";
import { useIsDemo, useMayChange } from "#session/session.ts";
import { chooseFiles, useChosenFiles } from "./chosen-files.ts";

const FilesDialog = lazyPart(async () => (await import("./files-dialog.tsx")).FilesDialog);

/** Takes files that are dropped anywhere on the page. An overlay says so while they are dragged; a dialog then asks about them. */
export function FileDrop() {
  const mayChange = useMayChange();
  const files = useChosenFiles();
  const isOpen = files !== undefined;
  const isDragged = useDraggedFiles(mayChange && !isOpen);
  return (
    <>
      {isDragged && !isOpen && <DropOverlay mayChange={mayChange} />}
      <Suspense>
        {files !== undefined && <FilesDialog files={files} onClose={() => chooseFiles(undefined)} />}
      </Suspense>
    </>
  );
}

/** Whether files are being dragged over the window. Dropped ones never replace the app, as browsers would do by themselves. */
function useDraggedFiles(isTaken: boolean): boolean {
  const [isDragged, setDragged] = useState(false);
  useEffect(() => {
    const listening = new AbortController();
    const on = (
      type: "dragenter" | "dragover" | "dragleave" | "drop",
      listener: (event: DragEvent) => void,
    ) => window.addEventListener(type, (event) => void (hasFiles(event) && listener(event)), listening);
    on("dragenter", () => setDragged(true));
    on("dragover", (event) => {
      event.preventDefault();
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = isTaken ? "copy" : "none";
    });
    // From one element to the next there is a related target; at the edge of the window there is none.
    on("dragleave", ({ relatedTarget }) => relatedTarget === null && setDragged(false));
    on("drop", (event) => {
      event.preventDefault();
      setDragged(false);
      if (isTaken) chooseFiles(filesIn(event.dataTransfer));
    });
    return () => listening.abort();
  }, [isTaken]);
  return isDragged;
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes("Files") === true;
}

/** The files without folders, whose bytes nobody can read. */
function filesIn(dropped: DataTransfer | null): readonly File[] {
  return [...(dropped?.items ?? [])].flatMap((item) => {
    const file = item.webkitGetAsEntry?.()?.isDirectory === true ? null : item.getAsFile();
    return file === null ? [] : [file];
  });
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
