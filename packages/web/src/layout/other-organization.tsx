import { findOrganizationOf, type LinkedKind } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { call } from "#api/call.ts";
import { serverText } from "#api/reply.ts";
import { useSession } from "#session/session.ts";
import { useSwitch } from "#session/use-switch.ts";
import { Button } from "#ui/controls/button.tsx";

interface OtherOrganizationProps {
  readonly kind: LinkedKind;
  /** The name of a service, the id of the others. */
  readonly id: string;
}

const texts: Readonly<Record<LinkedKind, string>> = {
  profile: "This profile belongs to another of your organizations.",
  service: "Another of your organizations has a service with this name.",
  incident: "This incident belongs to another of your organizations.",
};

/** Offers the switch for a link from another organization of the person. Nothing if none of them has what the link names. */
export function OtherOrganization({ kind, id }: OtherOrganizationProps) {
  const session = useSession();
  const current =
    session.status === "authenticated" && !session.isDemo ? session.user.organization.id : undefined;
  const { data } = useQuery({
    queryKey: ["organization-of", kind, id],
    queryFn: ({ signal }) => call(findOrganizationOf, { params: { kind, id }, signal }),
    enabled: current !== undefined,
    retry: false,
  });
  const switching = useSwitch();
  const organization = data?.organization ?? null;
  if (organization === null || organization.id === current) return null;
  return (
    <div className="mt-3 flex flex-col items-center gap-3" role="status">
      <p className="text-text">{texts[kind]}</p>
      <Button
        variant="primary"
        disabled={switching.isPending}
        onClick={() => switching.mutate(organization.id)}
      >
        <span className="max-w-64 truncate">Switch to {organization.name}</span>
      </Button>
      {switching.isError && <p>{serverText(switching.error, "Failed to switch the organization")}</p>}
    </div>
  );
}
