import type { DisplayType } from "@flamekeep/contract";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { chosenTimeRange } from "#api/preferences.ts";
import { profileTypeLabel } from "#format/profile-type.ts";
import { ProfileBrowser } from "#profile-list/browser.tsx";
import { fromFirstPage, useTableSearch } from "#profile-list/use-table-search.ts";
import { RangeSelect } from "#ui/range-select.tsx";
import { Select } from "#ui/select.tsx";
import { Tabs } from "#ui/tabs.tsx";
import { NoProfiles } from "./no-profiles.tsx";
import { ServicesView } from "./services-view.tsx";
import { storedTypeOptions } from "./type-options.ts";

const views = [
  { value: "services", label: "Services" },
  { value: "profiles", label: "All profiles" },
] as const;

/** The services view looks back a week unless a range was chosen: a service is not gone after a quiet day. */
const servicesRange = "168h";

export function ProfilesPage() {
  const search = useSearch({ from: "/protected/profiles" });
  const navigate = useNavigate({ from: "/profiles" });
  const table = useTableSearch();
  const view = search.view ?? "services";
  const showAllTypes = () => table.change({ type: undefined });
  const servicesSince = search.range ?? chosenTimeRange() ?? servicesRange;

  return (
    <Tabs
      label="View"
      value={view}
      items={views}
      onChange={(next) =>
        void navigate({ search: (before) => ({ ...before, ...fromFirstPage, view: next }) })
      }
      actions={
        <div className="pb-2">
          <RangeSelect
            value={view === "services" ? servicesSince : table.range}
            onChange={(range) => table.change({ range })}
          />
        </div>
      }
    >
      {view === "services" ? (
        <ServicesView since={servicesSince} />
      ) : (
        <ProfileBrowser
          type={search.type}
          filters={<TypeFilter value={search.type} onChange={(type) => table.change({ type })} />}
          onAllTypes={showAllTypes}
          empty={
            search.type === undefined ? (
              <NoProfiles />
            ) : (
              <NoProfiles typeLabel={profileTypeLabel(search.type)} onAllTypes={showAllTypes} />
            )
          }
        />
      )}
    </Tabs>
  );
}

interface TypeFilterProps {
  readonly value: DisplayType | undefined;
  readonly onChange: (type: DisplayType | undefined) => void;
}

function TypeFilter({ value, onChange }: TypeFilterProps) {
  return (
    <Select
      label="Profile type"
      value={value ?? "all"}
      options={storedTypeOptions}
      onChange={(next) => onChange(next === "all" ? undefined : next)}
      className="w-36"
    />
  );
}
