import { switchOrganization } from "@flamekeep/contract";
import { type UseMutationResult, useMutation } from "@tanstack/react-query";
import { call } from "#api/call.ts";
import { moveSession } from "./session.ts";

/** Moves this session to another of the person's organizations; what is on screen is read again. */
export function useSwitch(onSwitched?: () => void): UseMutationResult<unknown, Error, string> {
  return useMutation({
    mutationFn: async (id: string) => moveSession(await call(switchOrganization, { params: { id } })),
    onSuccess: () => onSwitched?.(),
  });
}
