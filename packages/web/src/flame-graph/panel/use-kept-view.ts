import {
  type FlameView,
  type FramePath,
  framePathAt,
  type NamedFrames,
  refAtFramePath,
  widestPlace,
} from "@flamekeep/flame";
import { useContext, useMemo, useState } from "react";
import { StaleGraphContext } from "#flame-graph/frame/wanted-function.ts";

/**
 * The view in a graph that may have been refreshed. A refresh can change the order of siblings, so frames are found again by name. The
 * address keeps the references of the graph in which they were chosen.
 */
export function useKeptView(
  frames: NamedFrames,
  callers: NamedFrames | null,
  view: FlameView,
  isCurrent: boolean,
): FlameView {
  const zoom = useKeptRef(frames, view.zoom, view.transforms, isCurrent);
  const focus = useKeptRef(frames, view.focus, view.transforms, isCurrent);
  const callersZoom = useKeptRef(callers, view.callersZoom, view.transforms, isCurrent);
  return useMemo(
    () =>
      zoom === view.zoom && focus === view.focus && callersZoom === view.callersZoom
        ? view
        : { ...view, zoom, focus, callersZoom },
    [view, zoom, focus, callersZoom],
  );
}

interface Kept {
  readonly ref: string;
  readonly transforms: string;
  /** Undefined until a graph has the frame. */
  readonly path: FramePath | undefined;
}

function useKeptRef(frames: NamedFrames | null, ref: string, transforms: string, isCurrent: boolean): string {
  // While another graph loads, the one on screen is not the one to which the reference belongs.
  const isStale = useContext(StaleGraphContext) || !isCurrent;
  const [kept, setKept] = useState<Kept>({ ref: "", transforms, path: undefined });
  const isSame = kept.ref === ref && kept.transforms === transforms;
  const path = isSame ? kept.path : undefined;
  const isRef = frames !== null && ref !== "" && ref !== widestPlace;
  const current = useMemo(
    () => (isRef && path !== undefined ? refAtFramePath(frames, path) : ref),
    [isRef, frames, path, ref],
  );
  if (isRef && !isStale && path === undefined) {
    const found = framePathAt(frames, ref);
    if (!isSame || found !== undefined) setKept({ ref, transforms, path: found });
  }
  return current;
}
