import { listServices } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense } from "react";
import { call } from "#api/call.ts";
import { importPage } from "#api/import-page.ts";
import { useMayChange } from "#session/session.ts";
import { Skeleton } from "#ui/content/skeleton.tsx";

interface OrganizationEmptyProps {
  /** Where there are profiles, only not in the range on show. */
  readonly otherwise: ReactNode;
}

// Seen once in the life of an organization: everybody else need not load it.
const FirstProfile = lazy(async () => ({
  default: (await importPage(() => import("./first-profile.tsx"))).FirstProfile,
}));
const everything = "3660d";
const liveIntervalMs = 1_000;

const reserved = (
  <div role="status" aria-label="Loading how to send the first profile">
    <Skeleton className="mx-auto h-140 max-w-3xl rounded-card!" />
  </div>
);

/** An empty list in an organization that never sent anything teaches how to send the first profile. */
export function OrganizationEmpty({ otherwise }: OrganizationEmptyProps) {
  const mayChange = useMayChange();
  const { data, isError } = useQuery({
    queryKey: ["services", everything, "names"],
    queryFn: ({ signal }) => call(listServices, { query: { since: everything }, signal }),
    // The first profile may be a stored one, older than the range of the list around this.
    refetchInterval: ({ state }) => (state.data?.services.length ? false : liveIntervalMs),
  });
  // Who may only read, as in the demo before its data has come, could make no key.
  if (isError || !mayChange) return otherwise;
  if (data === undefined) return reserved;
  if (data.services.length > 0) return otherwise;
  return (
    <Suspense fallback={reserved}>
      <FirstProfile />
    </Suspense>
  );
}
