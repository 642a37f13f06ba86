import { blockChart, customChart, goroutineChart, mutexChart } from "@flamekeep/contract";
import { callQuery } from "#api/call-query.ts";

const unchanging = { staleTime: Number.POSITIVE_INFINITY };

export function goroutinesQuery(profileId: string) {
  return callQuery(
    ["profile", profileId, "goroutines"],
    goroutineChart,
    { params: { profileId } },
    unchanging,
  );
}

export function contentionQuery(profileId: string, type: "mutex" | "block") {
  const chart = type === "mutex" ? mutexChart : blockChart;
  return callQuery(["profile", profileId, "contention", type], chart, { params: { profileId } }, unchanging);
}

export function customQuery(profileId: string) {
  return callQuery(["profile", profileId, "custom"], customChart, { params: { profileId } }, unchanging);
}
