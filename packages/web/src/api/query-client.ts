import { publicConfig } from "@flamekeep/contract";
import { QueryClient, queryOptions } from "@tanstack/react-query";
import { call } from "./call.ts";
import { CallFailure } from "./reply.ts";

const passing = new Set(["unreachable", "timeout", "unavailable", "internal"]);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) =>
        failures < 1 && (!(error instanceof CallFailure) || passing.has(error.code)),
    },
  },
});

// What one person has read must not be shown to the next one on the same machine.
window.addEventListener("auth:logout", () => queryClient.clear());

/** What the server tells anybody about itself. */
export const configQuery = queryOptions({
  queryKey: ["config"],
  queryFn: ({ signal }) => call(publicConfig, { signal }),
});
