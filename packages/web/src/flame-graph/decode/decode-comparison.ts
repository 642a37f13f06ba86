import type { CallTree } from "@flamekeep/flame";
import { type ComparisonMeta, decodeComparison } from "@flamekeep/flame/compare";

type Decoded =
  | { readonly failure?: undefined; readonly value: { comparison: CallTree; meta: ComparisonMeta } }
  | { readonly failure: string };

/** The comparison of a reply, or why its bytes cannot be decoded. */
export function decodedComparison(bytes: Uint8Array): Decoded {
  try {
    const { tree, meta } = decodeComparison(bytes);
    return { value: { comparison: tree, meta } };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}
