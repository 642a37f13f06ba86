import { allowSharedLinks, revokeSharedLink, type SharedLink } from "@flamekeep/contract";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#api/call.ts";
import { serverText } from "#api/reply.ts";
import { profileTypeLabel } from "#format/names.ts";
import { plural } from "#format/number.ts";
import { dateText, exactTime } from "#format/time.ts";
import { useIsAdmin } from "#session/session.ts";
import { ListCard } from "#settings/parts/parts.tsx";
import { sharedLinksQuery } from "#sharing/shared.ts";
import { Badge } from "#ui/content/badge.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { Button } from "#ui/controls/button.tsx";
import { ConfirmDialog } from "#ui/overlays/confirm-dialog.tsx";
import { showToast } from "#ui/overlays/toast.ts";
import { useChange } from "#ui/overlays/use-change.ts";

/** Whether people may create public links, and those that exist. */
export function PublicLinks() {
  const query = useQuery(sharedLinksQuery);
  const [isAsking, setIsAsking] = useState(false);
  const isAllowed = query.data?.is_allowed ?? false;
  const change = useAllowLinks(!isAllowed, isAsking, () => setIsAsking(false));
  const links = query.data?.shared_links.length ?? 0;
  const isAdmin = useIsAdmin();
  return (
    <>
      <ListCard
        title="Public links"
        detail={
          isAllowed
            ? "Admins and members can share a flame graph by a link that opens without an account."
            : "Off: members only."
        }
        actions={
          isAdmin &&
          query.data && (
            <Button
              disabled={change.isPending}
              onClick={() => (isAllowed && links > 0 ? setIsAsking(true) : change.mutate())}
            >
              {isAllowed ? "Stop all public links" : "Allow public links"}
            </Button>
          )
        }
        query={query}
        loading={<Skeleton className="mx-4 mb-4 h-8 w-56" />}
        nouns="public links"
        label="Public links"
        items={({ shared_links }) => shared_links}
        nothing={<p className="border-line border-t px-4 py-4 text-muted">No public links.</p>}
      >
        {(link) => <LinkRow link={link} isWorking={isAllowed} />}
      </ListCard>
      {isAsking && (
        <ConfirmDialog
          title="Stop all public links?"
          description={`${plural(links, "link")} will stop working permanently, even if you allow new ones later.`}
          action="Stop All"
          failure="Failed to stop the links"
          send={() => change.mutateAsync()}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  );
}

function useAllowLinks(isAllowed: boolean, isAsking: boolean, onChanged: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(allowSharedLinks, { body: { is_allowed: isAllowed } }),
    onSuccess: () => {
      onChanged();
      return client.invalidateQueries(sharedLinksQuery);
    },
    // A question that is open shows the failure itself.
    onError: (error) => isAsking || showToast(serverText(error, "Failed to change public links"), "critical"),
  });
}

const kinds = { profile: "Profile", range: "Range", comparison: "Comparison" } as const;

function LinkRow({ link, isWorking }: { readonly link: SharedLink; readonly isWorking: boolean }) {
  const revocation = useChange({
    send: () => call(revokeSharedLink, { params: { id: link.id } }),
    stale: [sharedLinksQuery],
    done: () => "The link is revoked",
    failure: "Failed to revoke the link",
  });
  const name = `${link.service}, ${profileTypeLabel(link.type)}`;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-4 py-3">
      <div className="min-w-0">
        <p className="flex min-w-0 items-center gap-2">
          <span className="truncate font-medium" title={name}>
            {name}
          </span>
          <Badge>{kinds[link.kind]}</Badge>
          {!isWorking && <Badge tone="warning">Stopped</Badge>}
        </p>
        <p className="text-label text-muted">
          By {link.created_by}, <RelativeTime at={link.created_at} />.{" "}
          <span title={exactTime(link.expires_at)}>Expires {dateText(link.expires_at)}</span>.{" "}
          {link.last_opened_at ? (
            <>
              Opened <RelativeTime at={link.last_opened_at} />.
            </>
          ) : (
            "Never opened."
          )}
        </p>
      </div>
      {link.is_revocable && (
        <Button
          size="sm"
          variant="danger"
          disabled={revocation.isPending}
          onClick={() => revocation.mutate()}
          aria-label={`Revoke the link to ${name}`}
        >
          Revoke
        </Button>
      )}
    </li>
  );
}
