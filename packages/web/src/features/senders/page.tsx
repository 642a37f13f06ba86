import { limits, type listSenders, type ReplyOf } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { CircleCheck, SearchX, Unplug } from "lucide-react";
import type { ReactNode } from "react";
import { exactCount, plural } from "#format/number.ts";
import { OrganizationEmpty } from "#onboarding/organization-empty.tsx";
import { sendersQuery } from "#profile-list/senders/queries.ts";
import { Card } from "#ui/content/card.tsx";
import { ListPages } from "#ui/content/list-pages.tsx";
import { Message } from "#ui/content/message.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { buttonClass } from "#ui/controls/button.tsx";
import { SearchInput } from "#ui/controls/input.tsx";
import { SegmentedControl } from "#ui/controls/segmented-control.tsx";
import { staleClass } from "#ui/cx.ts";
import { useSearchText } from "#ui/hooks/search-text.ts";
import { fromBase } from "#url/base-path.ts";
import { RejectedRequests } from "./rejected-requests.tsx";
import { SenderHead, SenderRow } from "./sender-row.tsx";
import { hasProblem, targetsQuery } from "./targets/queries.ts";
import { Targets } from "./targets/targets.tsx";

type Reply = ReplyOf<typeof listSenders>;

/** Services that send, and services that stopped, with the time. */
export function SendersPage(): ReactNode {
  const { q, service, problems, after } = useSearch({ from: "/protected/senders" });
  const navigate = useNavigate({ from: "/senders" });
  const query = useQuery(sendersQuery({ q, service, problems, cursor: after }));
  const change = (next: { readonly q?: string | undefined; readonly problems?: 1 | undefined }) =>
    void navigate({
      search: (before) => ({ ...before, service: undefined, after: undefined, ...next }),
      replace: true,
    });
  const [text, type] = useSearchText(q ?? service ?? "", (next) => change({ q: next }));
  const isFiltered = [q, service, problems, after].some((value) => value !== undefined);
  // While it loads without the filter, an empty list is still the filtered one.
  if (!isFiltered && !query.isPlaceholderData && query.data?.senders.length === 0) {
    return (
      <>
        <FailingTargets />
        <GuideAndTargets />
        <RejectedRequests keys={query.data.keys} since={query.data.rejected_since} />
      </>
    );
  }
  return (
    <>
      <Panel
        query={query}
        loading={<Skeleton className="mb-4 h-5 w-80" />}
        errorTitle="Failed to load the senders"
      >
        {(found) => <Verdict reply={found} />}
      </Panel>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <SearchInput value={text} onChange={type} label="Search services" placeholder="Search services" />
        <SegmentedControl
          label="Filter services"
          value={problems === 1 ? "problems" : "all"}
          options={{ all: "All", problems: "Only with problems" }}
          onChange={(value) => change({ problems: value === "problems" ? 1 : undefined })}
        />
      </div>
      {query.data && (
        <>
          <SenderList reply={query.data} openService={service} isDimmed={query.isPlaceholderData} />
          <Pages reply={query.data} isFirst={after === undefined} />
          <div className="mt-6">
            <Targets onlyProblems={problems === 1} />
          </div>
          <RejectedRequests keys={otherKeys(query.data, service)} since={query.data.rejected_since} />
        </>
      )}
    </>
  );
}

/** Keys whose rejected requests are not in the open row of the service. */
function otherKeys({ keys, senders }: Reply, openService: string | undefined): Reply["keys"] {
  const open = senders.find(({ service }) => service === openService);
  return open === undefined ? keys : keys.filter(({ id }) => !open.key_ids.includes(id));
}

function Verdict({ reply }: { readonly reply: Reply }) {
  const { silent, stopped_types: stopped } = reply;
  const failing = useFailingTargets();
  const problems = [
    ...(silent > 0 ? [`${plural(silent, "service is", "services are")} silent`] : []),
    ...(stopped > 0 ? [`${plural(stopped, "service", "services")} stopped sending a type`] : []),
    ...(failing > 0 ? [failingText(failing)] : []),
  ];
  return <VerdictText problems={problems} />;
}

/** For an organization without uploads, which may be the fault of its targets. */
function FailingTargets() {
  const failing = useFailingTargets();
  return failing === 0 ? null : <VerdictText problems={[failingText(failing)]} />;
}

/** Targets come first once there are any. With keys, the card keeps its state when it moves. */
function GuideAndTargets() {
  const hasTargets = (useQuery(targetsQuery).data?.targets.length ?? 0) > 0;
  const targets = <Targets key="targets" />;
  const guide = <OrganizationEmpty key="guide" otherwise={<Card>{noUploads}</Card>} />;
  return <div className="space-y-6">{hasTargets ? [targets, guide] : [guide, targets]}</div>;
}

function useFailingTargets(): number {
  return useQuery(targetsQuery).data?.targets.filter(hasProblem).length ?? 0;
}

const failingText = (count: number) => plural(count, "target fails", "targets fail");

function VerdictText({ problems }: { readonly problems: readonly string[] }) {
  const isFine = problems.length === 0;
  const Icon = isFine ? CircleCheck : Unplug;
  return (
    <p className="mb-4 flex items-center gap-2 font-medium">
      <Icon
        aria-hidden
        className={isFine ? "size-4 text-ok-text" : "size-4 text-critical-text"}
        strokeWidth={1.75}
      />
      {isFine ? "All regular senders are active." : `${problems.join(", ")}.`}
    </p>
  );
}

interface SenderListProps {
  readonly reply: Reply;
  /** The service of the address, whose row is open. */
  readonly openService: string | undefined;
  readonly isDimmed: boolean;
}

function SenderList({ reply, openService, isDimmed }: SenderListProps) {
  const { senders, keys, rejected_since: since } = reply;
  if (senders.length === 0) return <NoSenders service={openService} />;
  return (
    <Card className={staleClass(isDimmed)}>
      <SenderHead />
      <ul className="divide-y divide-line">
        {senders.map((sender) => (
          <SenderRow
            key={sender.service}
            sender={sender}
            keys={keys.filter(({ id }) => sender.key_ids.includes(id))}
            rejectedSince={since}
            isOpenAtFirst={sender.service === openService}
          />
        ))}
      </ul>
    </Card>
  );
}

const guide = (
  <a href={fromBase("/docs/sending#why-is-there-no-data")} className={buttonClass("secondary")}>
    Why is there no data?
  </a>
);

const noUploads = (
  <Message icon={Unplug} title={`No uploads in the last ${limits.sendersDays} days`} actions={guide}>
    <p>Check that your services still send, and to the address of this server.</p>
  </Message>
);

const noMatch = (
  <Message icon={SearchX} title="No senders match" actions={guide}>
    <p>No service of the last {limits.sendersDays} days matches.</p>
  </Message>
);

/** An empty list: because of the filter, or of the service in the address. */
function NoSenders({ service }: { readonly service: string | undefined }) {
  if (service === undefined) return <Card>{noMatch}</Card>;
  return (
    <Card>
      <Message icon={Unplug} title={`No data from ${service}`} actions={guide}>
        <p>
          Nothing arrived from “{service}” in the last {limits.sendersDays} days. Compare the name with the
          settings of the sender, and look for rejected requests below.
        </p>
      </Message>
    </Card>
  );
}

function Pages({ reply, isFirst }: { readonly reply: Reply; readonly isFirst: boolean }) {
  const navigate = useNavigate({ from: "/senders" });
  const { next_cursor: next, senders, total } = reply;
  const turn = (after: string | undefined) => void navigate({ search: (before) => ({ ...before, after }) });
  return (
    <ListPages
      detail={`${plural(senders.length, "service")} of ${exactCount(total)}`}
      onFirst={isFirst ? undefined : () => turn(undefined)}
      onNext={next === null ? undefined : () => turn(next)}
    />
  );
}
