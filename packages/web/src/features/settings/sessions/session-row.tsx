import type { AccountSession } from "@flamekeep/contract";
import { Globe, Monitor, Smartphone, Terminal } from "lucide-react";
import { Badge } from "#ui/content/badge.tsx";
import { ClockTime, RelativeTime } from "#ui/content/values.tsx";
import { Button } from "#ui/controls/button.tsx";

interface SessionRowProps {
  readonly session: AccountSession;
  readonly onEnd: () => void;
}

const places: Record<AccountSession["place"], string> = {
  "this machine": "The server's own machine",
  "local network": "Local network",
  internet: "Internet",
  unknown: "Unknown place",
};

const icons: Record<AccountSession["device_kind"], typeof Monitor> = {
  computer: Monitor,
  phone: Smartphone,
  program: Terminal,
  unknown: Globe,
};

export function SessionRow({ session, onEnd }: SessionRowProps) {
  const { device, device_kind, address, place, created_at, last_used_at, is_current } = session;
  const Icon = icons[device_kind];
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1.5 px-4 py-3 lg:grid-cols-[auto_minmax(0,1fr)_8rem_8rem_5rem]">
      <Icon aria-hidden className="size-4 text-muted" strokeWidth={1.75} />
      <div className="min-w-0">
        <p className="flex min-w-0 items-center gap-2">
          <span className="truncate font-medium">{device}</span>
          {is_current && <Badge tone="ok">This session</Badge>}
        </p>
        <p className="truncate text-label text-muted">
          {places[place]}
          {address !== null && <span className="font-mono"> {address}</span>}
        </p>
      </div>
      <div className="flex flex-wrap gap-x-4 text-label max-lg:order-last max-lg:col-span-2 max-lg:col-start-2 lg:contents">
        <p>
          <span className="text-muted lg:block">Signed in </span>
          <ClockTime at={created_at} />
        </p>
        <p>
          <span className="text-muted lg:block">Last used </span>
          {is_current ? "Now" : <RelativeTime at={last_used_at} />}
        </p>
      </div>
      <span className="text-right">
        {!is_current && (
          <Button size="sm" variant="danger" onClick={onEnd} aria-label={`End the session of ${device}`}>
            End
          </Button>
        )}
      </span>
    </li>
  );
}
