import { listServices } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense } from "react";
import { call } from "#api/call.ts";
import { importPage } from "#api/import-page.ts";
import { useMayChange } from "#session/session.ts";
import { Skeleton } from "#ui/content/skeleton.tsx";

interface OrganizationEmptyProps {
  /** Shown if the organization has profiles outside the current range. */
  readonly otherwise: ReactNode;
}

// Loaded on demand, because an organization sees it only once.
const FirstProfile = lazy(async () => ({
  default: (await importPage(() => import("./first-profile.tsx"))).FirstProfile,
}));
const everything = "3660d";
const liveIntervalMs = 1_000;

const placeholder = (
  <div role="status" aria-label="Loading how to send the first profile">
    <Skeleton className="mx-auto h-140 max-w-3xl rounded-card!" />
  </div>
);

/** Replaces an empty list by instructions for the first profile if the organization never sent one. */
export function OrganizationEmpty({ otherwise }: OrganizationEmptyProps) {
  const mayChange = useMayChange();
  const { data, isError } = useQuery({
    queryKey: ["services", everything, "names"],
    queryFn: ({ signal }) => call(listServices, { query: { since: everything }, signal }),
    // The first profile can be older than the range of the surrounding list.
    refetchInterval: ({ state }) => (state.data?.services.length ? false : liveIntervalMs),
  });
  // People with read access only cannot create a key, and neither can visitors of a demo that has no data yet.
  if (isError || !mayChange) return otherwise;
  if (data === undefined) return placeholder;
  if (data.services.length > 0) return otherwise;
  return (
    <Suspense fallback={placeholder}>
      <FirstProfile />
    </Suspense>
  );
}
