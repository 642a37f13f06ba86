import { useQuery } from "@tanstack/react-query";
import { configQuery } from "./query-client.ts";

/** Whether people without an invitation may create an account. True until the server has answered. */
export function useIsSignUpOpen(): boolean {
  const { data: config } = useQuery(configQuery);
  return config?.sign_up !== "invite";
}
