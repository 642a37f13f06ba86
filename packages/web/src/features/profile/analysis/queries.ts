import { blockChart, customChart, goroutineChart, mutexChart } from "@flamekeep/contract";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#api/call.ts";

export function goroutinesQuery(profileId: string) {
  return queryOptions({
    queryKey: ["profile", profileId, "goroutines"],
    queryFn: ({ signal }) => call(goroutineChart, { params: { profileId }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function contentionQuery(profileId: string, type: "mutex" | "block") {
  const chart = type === "mutex" ? mutexChart : blockChart;
  return queryOptions({
    queryKey: ["profile", profileId, "contention", type],
    queryFn: ({ signal }) => call(chart, { params: { profileId }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function customQuery(profileId: string) {
  return queryOptions({
    queryKey: ["profile", profileId, "custom"],
    queryFn: ({ signal }) => call(customChart, { params: { profileId }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
