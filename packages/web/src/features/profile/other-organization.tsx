import { findProfileOrganization } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { call } from "#api/call.ts";
import { serverText } from "#api/reply.ts";
import { useIsSignedIn } from "#session/session.ts";
import { useSwitch } from "#session/use-switch.ts";
import { Button } from "#ui/controls/button.tsx";

/** Offers the switch for a link from another organization of the person. Nothing if the profile is in none of them. */
export function OtherOrganization({ profileId }: { readonly profileId: string }) {
  const isSignedIn = useIsSignedIn();
  const { data } = useQuery({
    queryKey: ["profile-organization", profileId],
    queryFn: ({ signal }) => call(findProfileOrganization, { params: { id: profileId }, signal }),
    enabled: isSignedIn,
    retry: false,
  });
  const switching = useSwitch();
  if (data === undefined) return null;
  const { id, name } = data.organization;
  return (
    <div className="mt-3 flex flex-col items-center gap-3" role="status">
      <p className="text-text">This profile belongs to another of your organizations.</p>
      <Button variant="primary" disabled={switching.isPending} onClick={() => switching.mutate(id)}>
        <span className="max-w-64 truncate">Switch to {name}</span>
      </Button>
      {switching.isError && <p>{serverText(switching.error, "Failed to switch the organization")}</p>}
    </div>
  );
}
