import { ChartLine, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import type { Measure } from "#format/measure.ts";
import { Message } from "#ui/content/message.tsx";
import { SkeletonBlocks } from "#ui/content/skeleton.tsx";
import { Quantity } from "#ui/content/values.tsx";

interface EmptyProps {
  readonly title: string;
  readonly icon?: LucideIcon;
  readonly children?: ReactNode;
}

export function Empty({ title, icon = ChartLine, children }: EmptyProps) {
  return (
    <Message icon={icon} title={title}>
      {children}
    </Message>
  );
}

export function BlockSkeleton({ label, className }: { readonly label: string; readonly className: string }) {
  return <SkeletonBlocks label={label} count={1} className={className} layoutClass="px-4 pb-4" />;
}

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
