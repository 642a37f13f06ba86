import { publicConfig } from "@flamekeep/contract";
import { type Query, QueryClient, useQuery } from "@tanstack/react-query";
import { callQuery } from "#api/call-query.ts";
import { onOwnerChange } from "#session/session.ts";
import { onReachableAgain } from "./reachability.ts";
import { CallFailure } from "./reply.ts";

const transientCodes = new Set(["unreachable", "timeout", "unavailable", "internal"]);

export const queryClient = new QueryClient({
  defaultOptions: {
    // The server is often on this machine or network, which a browser without internet access still reaches.
    mutations: { networkMode: "always" },
    queries: {
      networkMode: "always",
      staleTime: 10_000,
      retry: (failures, error) =>
        failures < 1 && (!(error instanceof CallFailure) || transientCodes.has(error.code)),
    },
  },
});

// Queries that failed or became old meanwhile are read again at once.
onReachableAgain(() => {
  const isOld = (query: Query) => query.state.status === "error" || query.isStale();
  void queryClient.refetchQueries({ type: "active", predicate: isOld });
});

// Nobody may see cached data of the previous person or organization. Query keys name neither.
onOwnerChange((owner, formerOwner) => {
  if (owner === undefined) return queryClient.clear();
  queryClient.removeQueries({ type: "inactive" });
  // Pages that nobody needs to sign in for show nothing of an owner.
  if (formerOwner === undefined) return;
  // Not an invitation, which may just have been used up.
  void queryClient.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== "invitation" });
});

/** Public configuration of the server. */
export const configQuery = callQuery(["config"], publicConfig);

/** Whether people without an invitation may create an account. True until the server has answered. */
export function useIsSignUpOpen(): boolean {
  const { data: config } = useQuery(configQuery);
  return config?.sign_up !== "invite";
}
