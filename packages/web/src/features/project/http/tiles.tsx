import type { ReactNode } from "react";
import type { Measure } from "#format/measure.ts";
import { Quantity } from "#ui/content/values.tsx";

export interface Tile {
  readonly label: string;
  readonly value: Measure;
  readonly detail?: ReactNode;
}

/** Six figures in one card. */
export function Tiles({ tiles }: { readonly tiles: readonly Tile[] }) {
  return (
    <dl className="grid grid-cols-2 gap-px border-line border-y bg-line sm:grid-cols-3 xl:grid-cols-6">
      {tiles.map(({ label, value, detail }) => (
        <div key={label} className="min-w-0 bg-surface px-4 py-3">
          <dt className="text-label text-muted">{label}</dt>
          <dd className="mt-0.5 font-semibold text-page tracking-tight">
            <Quantity value={value} />
          </dd>
          {detail && <dd className="mt-0.5 text-label text-muted">{detail}</dd>}
        </div>
      ))}
    </dl>
  );
}
