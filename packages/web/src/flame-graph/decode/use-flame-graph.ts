import type { FlameGraph } from "@flamekeep/flame";
import { useEffect, useState } from "react";
import { decodeOnce } from "./decode-flame-graph.ts";

export type Decoding =
  | { readonly state: "decoding" }
  | { readonly state: "decoded"; readonly graph: FlameGraph }
  | { readonly state: "unreadable"; readonly message: string };

/** The decoded graph. Keeps the previous graph while new bytes are decoded. */
export function useFlameGraph(bytes: Uint8Array | undefined): Decoding {
  const [decoding, setDecoding] = useState<Decoding>({ state: "decoding" });
  useEffect(() => {
    if (bytes === undefined) return;
    let isCurrent = true;
    const show = (next: Decoding) => {
      if (isCurrent) setDecoding(next);
    };
    decodeOnce(bytes).then(
      (graph) => show({ state: "decoded", graph }),
      (error: Error) => show({ state: "unreadable", message: error.message }),
    );
    return () => {
      isCurrent = false;
    };
  }, [bytes]);
  return decoding;
}
