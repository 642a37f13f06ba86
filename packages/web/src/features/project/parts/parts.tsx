import { ChartLine, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import type { Measure } from "#format/measure.ts";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Message } from "#ui/content/message.tsx";
import { SkeletonBlocks } from "#ui/content/skeleton.tsx";
import { Quantity } from "#ui/content/values.tsx";

export const chartGridClass = "grid gap-4 min-[1100px]:grid-cols-2";

interface ChartCardProps {
  readonly title: string;
  readonly detail?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function ChartCard({ title, detail, actions, children }: ChartCardProps) {
  return (
    <Card className="min-w-0">
      <CardHeader title={title} detail={detail} actions={actions} />
      <div className="px-4 pb-3">{children}</div>
    </Card>
  );
}

/** A message of the size of a chart with its legend, so that cards in one row stay aligned. */
export function NoChart({ title }: { readonly title: string }) {
  return <p className="grid h-58 place-items-center text-muted">{title}</p>;
}

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

interface CardsSkeletonProps {
  readonly label: string;
  readonly count: number;
  readonly className: string;
  readonly gridClass?: string;
}

export function CardsSkeleton({ gridClass = chartGridClass, ...blocks }: CardsSkeletonProps) {
  return <SkeletonBlocks {...blocks} layoutClass={gridClass} />;
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
