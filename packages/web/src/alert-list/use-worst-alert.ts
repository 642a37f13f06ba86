import type { Alert, Profile } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { byIncrease } from "./model.ts";
import { alertsQuery } from "./queries.ts";

/** The open alert of profiles with the largest increase of a service and profile type, without muted ones; undefined until it is read. */
export function useWorstAlert({ service, type }: Pick<Profile, "service" | "type">): Alert | undefined {
  const isAbout = (alert: Alert) =>
    alert.service === service && alert.profile_type === type && alert.signal === undefined && !alert.is_muted;
  const { data } = useQuery({
    ...alertsQuery("open"),
    select: ({ alerts }) => byIncrease(alerts.filter(isAbout))[0],
  });
  return data;
}
