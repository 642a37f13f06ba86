import { serverStatus } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { call } from "#api/call.ts";

export function useServerStatus() {
  return useQuery({
    queryKey: ["status"],
    queryFn: ({ signal }) => call(serverStatus, { signal }),
    refetchInterval: 10_000,
  });
}
