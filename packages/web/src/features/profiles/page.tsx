import { type DisplayType, displayTypes } from "@flamekeep/contract";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Suspense } from "react";
import { lazyPart } from "#api/import-page.ts";
import { profileTypeLabel } from "#format/names.ts";
import { OpenFileButton } from "#open-files/open-file-button.tsx";
import { ProfileBrowser } from "#profile-list/browser.tsx";
import { fromFirstPage, useTableSearch } from "#profile-list/use-table-search.ts";
import { TimeRangeControl } from "#time-range/time-range-control.tsx";
import { Select } from "#ui/controls/select.tsx";
import { Tabs } from "#ui/controls/tabs.tsx";
import { NoProfiles } from "./no-profiles.tsx";
import { ServicesView } from "./services-view.tsx";

const views = [
  { value: "services", label: "Services" },
  { value: "profiles", label: "All profiles" },
  { value: "functions", label: "Functions" },
  { value: "http", label: "HTTP paths" },
] as const;

// Loaded when their tabs are opened.
const FunctionsView = lazyPart(async () => (await import("./functions-view.tsx")).FunctionsView);
const HttpView = lazyPart(async () => (await import("./http-view.tsx")).HttpView);

export function ProfilesPage() {
  const search = useSearch({ from: "/protected/profiles" });
  const navigate = useNavigate({ from: "/profiles" });
  const table = useTableSearch();
  const view = search.view ?? "services";
  const showAllTypes = () => table.change({ type: undefined });

  return (
    <Tabs
      label="View"
      value={view}
      items={views}
      onChange={(next) =>
        void navigate({
          search: (before) => ({ ...before, ...fromFirstPage, q: undefined, order: undefined, view: next }),
        })
      }
      actions={
        <div className="flex flex-wrap items-center gap-2 pb-2 max-sm:order-first max-sm:basis-full">
          <OpenFileButton />
          <TimeRangeControl />
        </div>
      }
    >
      {view === "services" ? (
        <ServicesView />
      ) : view === "http" || view === "functions" ? (
        <Suspense>{view === "http" ? <HttpView /> : <FunctionsView />}</Suspense>
      ) : (
        <ProfileBrowser
          type={search.type}
          isWithoutMetrics={search.type !== "metrics"}
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
      className="w-44"
    />
  );
}

const storedTypeOptions: readonly { value: DisplayType | "all"; label: string }[] = [
  { value: "all", label: "All types" },
  ...displayTypes.map((value) => ({
    value,
    label: value === "metrics" ? "HTTP metric batches" : profileTypeLabel(value),
  })),
];
