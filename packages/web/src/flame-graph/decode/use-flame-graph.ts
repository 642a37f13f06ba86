import type { FlameGraph } from "@flamekeep/flame";
import { useEffect, useState } from "react";
import { decodeOnce, previewOf } from "./decode-flame-graph.ts";

export type Decoding =
  | { readonly state: "decoding" }
  /** A preview is the widest frames of a graph that is still being decoded. */
  | { readonly state: "decoded"; readonly graph: FlameGraph; readonly isPreview: boolean }
  | { readonly state: "unreadable"; readonly message: string };

/**
 * The decoded graph, after its preview if it has one. Keeps the previous graph while new bytes are decoded.
 *
 * @param showsPreview whether the widest frames are enough for the view
 */
export function useFlameGraph(bytes: Uint8Array | undefined, showsPreview: boolean): Decoding {
  const [decoding, setDecoding] = useState<Decoding>({ state: "decoding" });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a view that changes does not decode again
  useEffect(() => {
    if (bytes === undefined) return;
    let isCurrent = true;
    const show = (next: Decoding) => {
      if (isCurrent) setDecoding(next);
    };
    decode(bytes, showsPreview, show).catch((error: Error) =>
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
  showsPreview: boolean,
  show: (next: Decoding) => void,
): Promise<void> {
  const preview = showsPreview ? previewOf(bytes) : undefined;
  if (preview !== undefined) {
    show({ state: "decoded", graph: preview, isPreview: true });
    await nextPaint();
  }
  show({ state: "decoded", graph: await decodeOnce(bytes, preview !== undefined), isPreview: false });
}

/** Resolves when everything set before is on screen: a frame begins after the one before was painted. */
function nextPaint(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
  });
}
