import type { Alert } from "@flamekeep/contract";
import { Bell, BellOff } from "lucide-react";
import { profileTypeLabel } from "#format/names.ts";
import { useZone } from "#preferences/time-zone.ts";
import { Button } from "#ui/controls/button.tsx";
import { Menu, MenuItem } from "#ui/controls/menu.tsx";
import { muteEnd, muteSpans } from "./mute-spans.ts";
import { useMute } from "./use-mute.ts";

/** Mutes the alerts of a service and profile type for a while, or unmutes them. */
export function MuteMenu({ alert }: { readonly alert: Alert }) {
  const mute = useMute();
  const zone = useZone();
  const series = `${profileTypeLabel(alert.profile_type)} alerts of ${alert.service}`;
  if (alert.is_muted) {
    return (
      <MuteButton label={`Unmute the ${series}`} onClick={() => mute(alert, false)}>
        <Bell aria-hidden className="size-4" strokeWidth={1.75} />
      </MuteButton>
    );
  }
  return (
    <Menu
      trigger={
        <MuteButton label={`Mute the ${series}`}>
          <BellOff aria-hidden className="size-4" strokeWidth={1.75} />
        </MuteButton>
      }
    >
      <p className="px-2.5 pt-1.5 pb-1 text-label text-muted">Mute the {series}</p>
      {muteSpans.map(({ value, label }) => (
        <MenuItem key={value} onSelect={() => mute(alert, true, muteEnd(value, Date.now(), zone))}>
          {label.startsWith("Until") ? label : `For ${label}`}
        </MenuItem>
      ))}
    </Menu>
  );
}

interface MuteButtonProps extends Omit<React.ComponentProps<typeof Button>, "size" | "variant"> {
  readonly label: string;
}

function MuteButton({ label, ...rest }: MuteButtonProps) {
  return (
    <Button variant="ghost" size="icon" className="md:size-7!" aria-label={label} title={label} {...rest} />
  );
}
