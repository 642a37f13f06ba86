import type { ReactNode } from "react";
import type { Measure } from "#format/measure.ts";
import { Quantity } from "./values.tsx";

interface StatProps {
  readonly label: string;
  readonly value: Measure;
  readonly detail?: ReactNode;
}

export function Stat({ label, value, detail }: StatProps) {
  return (
    <div className="min-w-0 rounded-card border border-line bg-surface p-3 sm:p-4">
      <dt className="text-label text-muted">{label}</dt>
      <dd className="mt-1 font-semibold text-stat tracking-tight">
        <Quantity value={value} />
      </dd>
      {detail && <dd className="mt-1 truncate text-label text-muted">{detail}</dd>}
    </div>
  );
}
