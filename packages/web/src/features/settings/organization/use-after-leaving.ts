import type { MovedSession } from "@flamekeep/contract";
import { useNavigate } from "@tanstack/react-router";
import { announceLogout, moveSession } from "#session/session.ts";

/** Goes on in the next organization of the person, or signs out: the server has ended the session then. */
export function useAfterLeaving(): (reply: { readonly moved: MovedSession | null }) => Promise<void> {
  const navigate = useNavigate();
  return async ({ moved }) => {
    if (moved === null) return announceLogout();
    moveSession(moved);
    await navigate({ to: "/dashboard", replace: true });
  };
}
