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

/** What the server says of itself, or that it says nothing; undefined until it was asked. */
export function useServerHealth(): { readonly isFine: boolean; readonly text: string } | undefined {
  const { data: status, isError } = useServerStatus();
  if (isError) return { isFine: false, text: "The server cannot be reached" };
  return status && { isFine: status.status !== "degraded", text: status.message };
}
