import { useEffect, useEffectEvent, useState } from "react";

/**
 * Whether files are being dragged over the window; dropped ones are passed on if they are taken. They never replace the app, as
 * browsers would do by themselves.
 */
export function useDraggedFiles(isTaken: boolean, onDrop: (files: readonly File[]) => void): boolean {
  const [isDragged, setDragged] = useState(false);
  const take = useEffectEvent(onDrop);
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
      if (isTaken) take(filesIn(event.dataTransfer));
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
