import { decodeFlameGraph, type FlameGraph } from "@flamekeep/flame";
import { useEffect, useRef, useState } from "react";
import { earlyPreviewOf, isEarlyPreview } from "#api/graph-columns.ts";
import { decodeOnce, previewOf } from "./decode-flame-graph.ts";

export type Decoding =
  | { readonly state: "decoding" }
  /** A preview has only the widest frames of a graph; the whole graph replaces it once it is decoded. */
  | {
      readonly state: "decoded";
      readonly graph: FlameGraph;
      readonly isPreview: boolean;
      /** The decoded bytes: the previous ones while the current ones are being decoded. */
      readonly bytes: Uint8Array;
    }
  | { readonly state: "unreadable"; readonly message: string };

/**
 * The decoded graph; before it, its preview if it has one. Keeps the previous graph while new bytes are decoded.
 *
 * @param showsPreview whether the widest frames are enough for the view when the bytes arrive
 */
export function useFlameGraph(bytes: Uint8Array | undefined, showsPreview: boolean): Decoding {
  const [decoding, setDecoding] = useState<Decoding>({ state: "decoding" });
  const shown = useRef(decoding);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the view does not decode again
  useEffect(() => {
    if (bytes === undefined) return;
    let isCurrent = true;
    const show = (next: Decoding) => {
      if (!isCurrent) return;
      shown.current = next;
      setDecoding(next);
    };
    decode(bytes, { showsPreview, shown: shown.current }, show).catch((error: Error) =>
      show({ state: "unreadable", message: error.message }),
    );
    return () => {
      isCurrent = false;
    };
  }, [bytes]);
  return decoding;
}

async function decode(
  bytes: Uint8Array,
  { showsPreview, shown }: { readonly showsPreview: boolean; readonly shown: Decoding },
  show: (next: Decoding) => void,
): Promise<void> {
  if (isEarlyPreview(bytes)) {
    if (showsPreview) show({ state: "decoded", graph: decodeFlameGraph(bytes), isPreview: true, bytes });
    return;
  }
  const isShown = shown.state === "decoded" && shown.bytes === earlyPreviewOf(bytes);
  // A hidden tab paints nothing: waiting for its next frame would keep the whole graph from being decoded.
  const isPainted = !document.hidden && (isShown || showsPreview);
  const preview = isShown ? shown.graph : isPainted ? previewOf(bytes) : undefined;
  if (preview !== undefined) {
    show({ state: "decoded", graph: preview, isPreview: true, bytes });
    if (isPainted) await nextPaint();
  }
  const graph = await decodeOnce(bytes, preview !== undefined);
  show({ state: "decoded", graph, isPreview: false, bytes });
}

/**
 * Resolves when the current state is on screen: React renders it before the first or the second frame, the canvas draws it in the frame
 * after that, and the next one begins when that has been painted. Decoding earlier would delay the paint.
 */
async function nextPaint(): Promise<void> {
  for (let frames = 0; frames < 3; frames++)
    await new Promise((resolve) => {
      requestAnimationFrame(resolve);
    });
  await new Promise((resolve) => {
    setTimeout(resolve);
  });
}
