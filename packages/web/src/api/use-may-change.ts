import { useSession } from "./session.ts";

/** Whether the server lets this person change anything: not in the demo, and not as a viewer. */
export function useMayChange(): boolean {
  const session = useSession();
  return session.status === "authenticated" && !session.isDemo && session.user.role !== "viewer";
}
