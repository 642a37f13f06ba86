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

interface ServerHealth {
  readonly isFine: boolean;
  /** Some check fails now, as opposed to a warning about an earlier fault. */
  readonly isFailing: boolean;
  readonly text: string;
}

/** The server's own status, or that it cannot be reached. Undefined until the first response. */
export function useServerHealth(): ServerHealth | undefined {
  const { data: status, isError } = useServerStatus();
  if (isError) return { isFine: false, isFailing: true, text: "The server cannot be reached" };
  if (status === undefined) return undefined;
  return {
    isFine: status.status !== "degraded",
    isFailing: status.checks.some(({ ok }) => !ok),
    text: status.message,
  };
}
