import { profileTabs } from "@flamekeep/contract";
import { withoutFrameRefs } from "@flamekeep/flame/without-graph";
import { useNavigate } from "@tanstack/react-router";
import { fromFirstPage } from "#profile-list/use-table-search.ts";

const otherTabs = ["http", "alerts", "analysis"] as const;

/** Overview is `all`, as in the address of the profiles of all types. */
export const serviceTabs = [...profileTabs, ...otherTabs] as const;
export type ServiceTab = (typeof serviceTabs)[number];

/** View state of one type: its alert, sample type, labels and zoom. */
const ofOneType = {
  since: undefined,
  labels: undefined,
  by_label: undefined,
  split_label: undefined,
  sample_type: undefined,
  ...withoutFrameRefs,
};

/** Opens another tab of the service. Time range, selection and tags stay. */
export function useOpenTab(service: string) {
  const navigate = useNavigate();
  return (next: ServiceTab, scroll: "in place" | "from the top" = "in place") => {
    const resetScroll = scroll === "from the top";
    const search = (before: Record<string, unknown>) => ({ ...before, ...fromFirstPage, ...ofOneType });
    const params = { serviceName: service };
    if (next === "all")
      return void navigate({ to: "/profiles/service/$serviceName", params, search, resetScroll });
    if (next === "http" || next === "alerts" || next === "analysis")
      return void navigate({ to: `/profiles/service/$serviceName/${next}`, params, search, resetScroll });
    const typed = { ...params, type: next };
    void navigate({ to: "/profiles/service/$serviceName/$type", params: typed, search, resetScroll });
  };
}
