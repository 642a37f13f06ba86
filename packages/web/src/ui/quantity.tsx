import type { Measure } from "#format/measure.ts";

/** A number with its unit muted and half a step smaller. */
export function Quantity({ value }: { readonly value: Measure }) {
  return (
    <span data-quantity className="whitespace-nowrap">
      {value.number}
      {value.unit !== "" && <span className="font-normal text-[0.82em] text-muted"> {value.unit}</span>}
    </span>
  );
}
