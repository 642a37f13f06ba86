import { type Comparison, type ComparisonMeta, decodeComparison } from "@flamekeep/flame/compare";

type Decoded =
  | { readonly failure?: undefined; readonly value: { comparison: Comparison; meta: ComparisonMeta } }
  | { readonly failure: string };

/** The comparison of a reply, or why its bytes cannot be decoded. */
export function decodedComparison(bytes: Uint8Array): Decoded {
  try {
    return { value: decodeComparison(bytes) };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}
