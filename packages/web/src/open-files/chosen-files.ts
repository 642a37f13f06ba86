import { isServiceName, limits } from "@flamekeep/contract";
import { useSyncExternalStore } from "react";
import { showToast } from "#ui/overlays/toast.ts";

let chosen: readonly File[] | undefined;
const listeners = new Set<() => void>();

/** Files that were dropped or chosen, for which the dialog is open; undefined while it is closed. */
export function useChosenFiles(): readonly File[] | undefined {
  return useSyncExternalStore(subscribe, () => chosen);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Opens the dialog for files; undefined closes it. */
export function chooseFiles(files: readonly File[] | undefined): void {
  if (files !== undefined && !areTakeable(files)) return;
  chosen = files;
  for (const listener of listeners) listener();
}

/** Lets a person choose files of this computer. */
export function pickFiles(onPicked: (files: readonly File[]) => void = chooseFiles): void {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  input.onchange = () => {
    const files = [...(input.files ?? [])];
    if (files.length > 0) onPicked(files);
  };
  input.click();
}

/** False if there are none or too many: a message says so. */
export function areTakeable(files: readonly File[]): boolean {
  const fault = faultOf(files);
  if (fault !== undefined) showToast(fault, "critical");
  return fault === undefined;
}

function faultOf({ length }: readonly File[]): string | undefined {
  if (length === 0) return "Drop files, not folders.";
  if (length > limits.uploadFilesMax) return `Open at most ${limits.uploadFilesMax} files at once.`;
  return undefined;
}

/** Names of `go tool pprof`: `pprof.checkout.samples.cpu.001.pb.gz`. */
const ofGoTool = /^pprof\.(.+?)\.(?:samples|alloc_|inuse_|contentions|goroutine|delay|threadcreate|cpu)/;
const endings =
  /\.(?:gz|zst|lz4|pb|pprof|prof|jfr|json|txt|out|folded|collapsed|speedscope|cpuprofile|heapprofile|nettrace|perf)$/i;

/** The name of a service that a file's name suggests; empty if it suggests none. */
export function serviceOfFile(name: string): string {
  let rest = ofGoTool.exec(name)?.[1] ?? name;
  while (endings.test(rest)) rest = rest.replace(endings, "");
  const [named = ""] = /[a-z0-9](?:.*[a-z0-9])?/i.exec(rest.replace(/[^\w./:-]+/g, "-")) ?? [];
  const service = named.slice(0, limits.serviceNameLengthMax);
  return isServiceName(service) ? service : "";
}
