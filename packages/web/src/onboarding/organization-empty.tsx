import { listServices } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { call } from "#api/call.ts";
import { FirstProfile } from "./first-profile.tsx";

interface OrganizationEmptyProps {
  /** Where there are profiles, only not in the range on show. */
  readonly otherwise: ReactNode;
}

const everything = "3660d";

/** An empty list in an organization that never sent anything teaches how to send the first profile. */
export function OrganizationEmpty({ otherwise }: OrganizationEmptyProps) {
  const { data, isError } = useQuery({
    queryKey: ["services", everything, "names"],
    queryFn: ({ signal }) => call(listServices, { query: { since: everything }, signal }),
  });
  if (isError) return otherwise;
  if (data === undefined) return <div className="min-h-64" />;
  return data.services.length === 0 ? <FirstProfile /> : otherwise;
}
