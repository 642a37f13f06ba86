import { useLocation } from "@tanstack/react-router";
import { profileTypeLabel } from "#format/names.ts";
import { ProfileBrowser } from "#profile-list/browser.tsx";
import { isProfileType } from "#profile-list/model.ts";
import { TimeRangeControl } from "#time-range/time-range-control.tsx";
import { NoProfiles } from "./no-profiles.tsx";

/** The pages /cpu-profiles, /memory-profiles and /goroutine-profiles. The path names the type. */
export function TypePage() {
  const { pathname } = useLocation();
  const segment = pathname.slice(1).replace(/-profiles\/?$/, "");
  const type = isProfileType(segment) ? segment : undefined;
  return (
    <>
      <div className="mb-5 flex justify-end">
        <TimeRangeControl />
      </div>
      <ProfileBrowser type={type} empty={<NoProfiles typeLabel={type && profileTypeLabel(type)} />} />
    </>
  );
}
