import type { Sender } from "@flamekeep/contract";
import { CircleCheck, History, Unplug } from "lucide-react";
import { exactTime } from "#format/time.ts";
import { useZone } from "#preferences/time-zone.ts";
import { Badge } from "#ui/content/badge.tsx";
import { useNow } from "#ui/hooks/use-now.ts";
import { senderStateText, stripText } from "./model.ts";

const marks = {
  silent: { icon: Unplug, tone: "critical" },
  stopped_types: { icon: Unplug, tone: "warning" },
  sending: { icon: CircleCheck, tone: "ok" },
  irregular: { icon: History, tone: "neutral" },
} as const;

type State = Pick<Sender, "state" | "since" | "types" | "last_received_at">;

/** Whether a service sends, with the exact time of its last upload on hover. */
export function SenderBadge({ sender }: { readonly sender: State }) {
  const now = useNow();
  const zone = useZone();
  const { icon: Icon, tone } = marks[sender.state];
  return (
    <Badge tone={tone} title={`Last upload ${exactTime(sender.last_received_at, zone)}`}>
      <Icon aria-hidden className="size-3.5 shrink-0" strokeWidth={2} />
      <span className="min-w-0 truncate">{senderStateText(sender, now)}</span>
    </Badge>
  );
}

const heightPx = 20;
const barPx = 3;
const stepPx = 4;
/** A bucket with few uploads is still seen. */
const barMinPx = 4;

/** Uploads of 24 hours by half hours; a gap is where nothing came. */
export function ReceivedStrip({ received }: { readonly received: readonly number[] }) {
  const most = Math.max(1, ...received);
  const label = stripText(received);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${received.length * stepPx} ${heightPx}`}
      preserveAspectRatio="none"
      className="block w-full"
      height={heightPx}
    >
      <title>{label}</title>
      {received.map((count, index) => {
        const x = index * stepPx;
        const height = count === 0 ? 1 : Math.max(barMinPx, (count / most) * heightPx);
        return (
          <rect
            key={x}
            x={x}
            y={heightPx - height}
            width={barPx}
            height={height}
            fill={count === 0 ? "var(--line-strong)" : "var(--series-3)"}
          />
        );
      })}
    </svg>
  );
}
