import { useLocation } from "@tanstack/react-router";
import { profileTypeLabel } from "#format/names.ts";
import { ProfileBrowser } from "#profile-list/browser.tsx";
import { isProfileType } from "#profile-list/model.ts";
import { useTableSearch } from "#profile-list/use-table-search.ts";
import { RangeSelect } from "#ui/controls/select.tsx";
import { NoProfiles } from "./no-profiles.tsx";

/** The pages /cpu-profiles, /memory-profiles and /goroutine-profiles. The path names the type. */
export function TypePage() {
  const { pathname } = useLocation();
  const table = useTableSearch();
  const segment = pathname.slice(1).replace(/-profiles\/?$/, "");
  const type = isProfileType(segment) ? segment : undefined;
  return (
    <>
      <div className="mb-5 flex justify-end">
        <RangeSelect value={table.range} onChange={(range) => table.change({ range })} />
      </div>
      <ProfileBrowser type={type} empty={<NoProfiles typeLabel={type && profileTypeLabel(type)} />} />
    </>
  );
}
