import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { ListChecks, ListFilter } from "lucide-react";
import { ReadOnlyNote } from "#layout/read-only-note.tsx";
import { useIsAdmin, useMayChange } from "#session/session.ts";
import { Breadcrumb } from "#ui/content/breadcrumb.tsx";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Message } from "#ui/content/message.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { Button, buttonClass } from "#ui/controls/button.tsx";
import { FindingFilters } from "./finding-filters.tsx";
import { FindingList } from "./finding-list.tsx";
import { type FindingsReply, isDecided, sumText } from "./model.ts";
import { findingsQuery } from "./queries.ts";
import type { FindingsSearch } from "./search.ts";

/** The possible savings of all services, with owners and states. */
export function FindingsPage() {
  const search = useSearch({ from: "/protected/findings" });
  const query = useQuery(findingsQuery(search));
  return (
    <>
      <Breadcrumb>
        <Link to="/dashboard">Dashboard</Link>
        <span className="text-text">Findings</span>
      </Breadcrumb>
      <Card className="mt-4 min-w-0">
        <Panel query={query} loading={<FindingsSkeleton />} errorTitle="Failed to load the findings">
          {(reply) => <Findings reply={reply} search={search} />}
        </Panel>
      </Card>
    </>
  );
}

function FindingsSkeleton() {
  return (
    <div className="flex flex-col gap-3 p-4">
      <Skeleton className="h-6 w-80 max-w-full" />
      <Skeleton className="h-9 w-120 max-w-full" />
      <Skeleton className="h-96" />
    </div>
  );
}

interface FindingsProps {
  readonly reply: FindingsReply;
  readonly search: FindingsSearch;
}

function Findings({ reply, search }: FindingsProps) {
  const mayChange = useMayChange();
  const navigate = useNavigate({ from: "/findings" });
  if (reply.services.length === 0) return <NoFindings />;
  const change = (part: FindingsSearch) =>
    void navigate({
      search: (before) => ({ ...before, after: undefined, ...part }),
      replace: true,
      resetScroll: false,
    });
  return (
    <>
      <CardHeader
        title={sumText(reply, search.state)}
        detail={!isDecided(search.state) && <PriceHint reply={reply} />}
        {...(!mayChange && { actions: <ReadOnlyNote /> })}
      />
      <FindingFilters reply={reply} search={search} onChange={change} />
      {reply.findings.length === 0 ? (
        <NoMatch
          onClear={() =>
            change({ service: undefined, category: undefined, state: undefined, owner: undefined })
          }
        />
      ) : (
        <FindingList reply={reply} />
      )}
      <Pages
        next={reply.next_cursor}
        isFirst={search.after === undefined}
        onPage={(after) => change({ after })}
      />
    </>
  );
}

function PriceHint({ reply: { price } }: Pick<FindingsProps, "reply">) {
  const isAdmin = useIsAdmin();
  const text = "What following all advice should save, on all instances of the services together.";
  if (price !== null || !isAdmin) return text;
  return (
    <>
      {text}{" "}
      <Link to="/settings" search={{ tab: "organization" }} className="text-accent-text hover:underline">
        Set a price to see money
      </Link>
      .
    </>
  );
}

function NoFindings() {
  return (
    <Message
      icon={ListChecks}
      title="No findings yet"
      actions={
        <Link to="/profiles" className={buttonClass("primary")}>
          Open the services
        </Link>
      }
    >
      <p>
        Every service that sends profiles is analyzed once a day, unless the operator switched this off. Start
        an analysis on the Analysis tab of a service to see findings now.
      </p>
    </Message>
  );
}

function NoMatch({ onClear }: { readonly onClear: () => void }) {
  return (
    <Message
      icon={ListFilter}
      title="No finding matches"
      actions={<Button onClick={onClear}>Clear Filters</Button>}
    >
      <p>Choose another service, category, state or owner.</p>
    </Message>
  );
}

interface PagesProps {
  readonly next: string | null;
  readonly isFirst: boolean;
  readonly onPage: (after: string | undefined) => void;
}

function Pages({ next, isFirst, onPage }: PagesProps) {
  if (next === null && isFirst) return null;
  return (
    <nav aria-label="Pages of findings" className="flex justify-end gap-2 border-line border-t px-4 py-3">
      {!isFirst && <Button onClick={() => onPage(undefined)}>First page</Button>}
      {next !== null && <Button onClick={() => onPage(next)}>Next page</Button>}
    </nav>
  );
}
