import { createSharedLink, sharedLinkDays } from "@flamekeep/contract";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { call } from "#api/call.ts";
import { lazyPart } from "#api/import-page.ts";
import { plural } from "#format/number.ts";
import { dateText, rangeLabel } from "#format/time.ts";
import { useZone } from "#preferences/time-zone.ts";
import { useIsAdmin, useMayChange } from "#session/session.ts";
import type { PageAddress } from "#time-range/page-address.ts";
import { rangeText } from "#time-range/view-range.ts";
import { SecretLine } from "#ui/content/code-block.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { Button } from "#ui/controls/button.tsx";
import { CopyButton } from "#ui/controls/copy-button.tsx";
import { FormProblems } from "#ui/controls/form-problems.tsx";
import { SegmentedControl } from "#ui/controls/segmented-control.tsx";
import { Select } from "#ui/controls/select.tsx";
import { copyAndReport } from "#ui/overlays/copy-and-report.ts";
import { type Closable, Dialog } from "#ui/overlays/dialog.tsx";
import { type Shared, sharedLinksQuery } from "./shared.ts";

const InviteToView = lazyPart(async () => (await import("#layout/invite-dialog.tsx")).InviteToView);

interface ShareDialogProps extends Closable {
  readonly address: PageAddress;
  readonly shared: Shared | undefined;
}

/** The two ways to show a view to somebody: its address, for colleagues, and a public link, for anybody. */
export function ShareDialog({ address, shared, onClose }: ShareDialogProps) {
  const mayChange = useMayChange();
  const isAdmin = useIsAdmin();
  const [isInviting, setInviting] = useState(false);
  if (isInviting)
    return (
      <Suspense>
        <InviteToView address={address.fixed} onClose={onClose} />
      </Suspense>
    );
  return (
    <Dialog onClose={onClose} title="Share this view">
      <section aria-label="For your organization">
        <h3 className="font-medium">For your organization</h3>
        <p className="mt-1 mb-2 text-muted">Members of your organization can open it after signing in.</p>
        {address.moving === undefined ? (
          <CopyButton text={address.fixed} label="Copy link" hasText variant="secondary" />
        ) : (
          <RangeLink fixed={address.fixed} moving={address.moving} />
        )}
        {isAdmin && (
          <Button variant="ghost" className="ml-2" onClick={() => setInviting(true)}>
            Invite by mail
          </Button>
        )}
      </section>
      {mayChange && shared && (
        <section aria-label="For anyone" className="mt-5 border-line border-t pt-4">
          <h3 className="font-medium">For anyone</h3>
          <PublicLink shared={shared} />
        </section>
      )}
    </Dialog>
  );
}

interface RangeLinkProps {
  readonly fixed: string;
  readonly moving: NonNullable<PageAddress["moving"]>;
}

/** The link to a range up to now: to the time on screen, or to as long a time before the link is opened. */
function RangeLink({ fixed, moving: { href, span, fixedRange } }: RangeLinkProps) {
  const [choice, setChoice] = useState<"fixed" | "moving">("fixed");
  const zone = useZone();
  const last = rangeLabel(span).replace(/^Last/, "the last");
  return (
    <>
      <SegmentedControl
        label="Time of the link"
        value={choice}
        options={{ fixed: "This time", moving: `Always ${last}` }}
        onChange={setChoice}
        className="w-fit"
      />
      <p className="mt-1.5 mb-2 text-muted tabular-nums">
        {choice === "fixed"
          ? `Shows ${rangeText(fixedRange, Date.now(), zone)}, whenever it is opened.`
          : `Shows ${last} before it is opened.`}
      </p>
      <CopyButton text={choice === "fixed" ? fixed : href} label="Copy link" hasText variant="secondary" />
    </>
  );
}

function PublicLink({ shared }: { readonly shared: Shared }) {
  const query = useQuery(sharedLinksQuery);
  if (query.error) return <FormProblems failure={query.error.message} />;
  if (query.data === undefined) return <Skeleton className="mt-2 h-16 w-full" />;
  if (!query.data.is_allowed) {
    return (
      <p className="mt-1 text-muted">
        Your organization does not allow public links. An admin can allow them in{" "}
        <Link to="/settings" search={{ tab: "organization" }} className="text-accent-text hover:underline">
          Settings, Organization
        </Link>
        .
      </p>
    );
  }
  return <NewLink shared={shared} />;
}

type Days = `${(typeof sharedLinkDays)[number]}`;
const validities = sharedLinkDays.map((days) => ({
  value: String(days) as Days,
  label: plural(days, "day"),
}));

function NewLink({ shared }: { readonly shared: Shared }) {
  const client = useQueryClient();
  const [days, setDays] = useState<Days>("7");
  const creation = useMutation({
    mutationFn: () =>
      call(createSharedLink, {
        body: { ...shared, expires_in_days: Number(days) as (typeof sharedLinkDays)[number] },
      }),
    onSuccess: ({ url }) => {
      // The clipboard still has the address for the organization.
      void copyAndReport(url, "Public link copied to clipboard!");
      return client.invalidateQueries(sharedLinksQuery);
    },
  });
  if (creation.data !== undefined) {
    const { url, shared_link } = creation.data;
    return (
      <>
        <p className="mt-1 mb-2 text-muted">
          Expires {dateText(shared_link.expires_at)}. The link is shown only now; revoke it in Settings,
          Organization.
        </p>
        <SecretLine text={url} testId="public-link" copyLabel="Copy public link" />
      </>
    );
  }
  return (
    <>
      <p className="mt-1 mb-2 text-muted">
        Anyone with the link can see this graph and nothing else, without an account.
      </p>
      <FormProblems error={creation.error} failure="Failed to create the link" />
      <div className="flex flex-wrap gap-2">
        <Select label="Valid for" value={days} options={validities} onChange={setDays} />
        <Button variant="primary" disabled={creation.isPending} onClick={() => creation.mutate()}>
          {creation.isPending ? "Creating..." : "Create public link"}
        </Button>
      </div>
    </>
  );
}
