import { removeTarget, type Target, type TargetInstance, updateTarget } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { type RefObject, Suspense, useId, useRef, useState } from "react";
import { call } from "#api/call.ts";
import { lazyPart } from "#api/import-page.ts";
import { exactCount, plural } from "#format/number.ts";
import { timeBetween } from "#format/time.ts";
import { useMayChange } from "#session/session.ts";
import { Badge } from "#ui/content/badge.tsx";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { Button } from "#ui/controls/button.tsx";
import { ExpandButton } from "#ui/controls/expand-button.tsx";
import { useNow } from "#ui/hooks/use-now.ts";
import { ConfirmDialog } from "#ui/overlays/confirm-dialog.tsx";
import type { Closable } from "#ui/overlays/dialog.tsx";
import { useChange } from "#ui/overlays/use-change.ts";
import { fromBase } from "#url/base-path.ts";
import { givenOf } from "./draft.ts";
import { hasProblem, targetsQuery } from "./queries.ts";

const TargetDialog = lazyPart(async () => (await import("./target-dialog.tsx")).TargetDialog);

type OpenDialog =
  | { readonly kind: "add" }
  | { readonly kind: "edit" | "remove"; readonly target: Target }
  | undefined;

/** The processes from which the server pulls profiles, and how that goes. */
export function Targets({ onlyProblems = false }: { readonly onlyProblems?: boolean }) {
  const query = useQuery(targetsQuery);
  const mayChange = useMayChange();
  const addButton = useRef<HTMLButtonElement>(null);
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = () => setDialog(undefined);
  return (
    <Card>
      <CardHeader
        title="Targets"
        detail="The server pulls /debug/pprof of these processes, which need no SDK."
        actions={
          mayChange && (
            <Button ref={addButton} onClick={() => setDialog({ kind: "add" })}>
              Add a target
            </Button>
          )
        }
      />
      <Panel
        query={query}
        loading={<Skeleton className="mx-4 mb-4 h-5 w-80" />}
        errorTitle="Failed to load the targets"
      >
        {({ targets, is_on }) => (
          <>
            {!is_on && (
              <p className="px-4 pb-3 text-label text-critical-text">
                This server pulls nothing: the operator set PULL=off.
              </p>
            )}
            {targets.length === 0 && noTargets}
            <ul className="divide-y divide-line border-line border-t empty:hidden">
              {(onlyProblems ? targets.filter(hasProblem) : targets).map((target) => (
                <TargetRow key={target.id} target={target} mayChange={mayChange} onOpen={setDialog} />
              ))}
            </ul>
          </>
        )}
      </Panel>
      <Suspense>
        {dialog?.kind === "add" && <TargetDialog target={undefined} onClose={close} />}
        {dialog?.kind === "edit" && <TargetDialog target={dialog.target} onClose={close} />}
      </Suspense>
      {dialog?.kind === "remove" && (
        <RemoveTargetDialog target={dialog.target} onClose={close} focusAfter={addButton} />
      )}
    </Card>
  );
}

const noTargets = (
  <p className="px-4 pb-3.5 text-label text-muted">
    A Go program with net/http/pprof needs only its address here.{" "}
    <a href={fromBase("/docs/send/pull")} className="text-accent-text underline">
      How to pull profiles
    </a>
  </p>
);

interface TargetRowProps {
  readonly target: Target;
  readonly mayChange: boolean;
  readonly onOpen: (dialog: OpenDialog) => void;
}

function TargetRow({ target, mayChange, onOpen }: TargetRowProps) {
  const [isOpen, setIsOpen] = useState(false);
  const detailsId = useId();
  const { name, instances, instance_count: count, discovery_error: discoveryError } = target;
  const [first] = instances;
  // The open row shows the error of each process.
  const problem = discoveryError ?? (isOpen ? null : first?.error) ?? null;
  return (
    <li className="px-4 py-2.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <ExpandButton
          content={`the processes of ${name}`}
          contentId={detailsId}
          isOpen={isOpen}
          onToggle={() => setIsOpen(!isOpen)}
        />
        <span className="min-w-0 truncate font-medium" title={name}>
          {name}
        </span>
        <TargetState target={target} />
        <span className="text-label text-muted">
          {target.is_enabled &&
            (count === 0 ? <Unscraped target={target} /> : plural(count, "process", "processes"))}
          {target.is_enabled && ", "}every {target.interval_seconds} s: {target.profiles.join(", ")}
        </span>
        {mayChange && <TargetActions target={target} onOpen={onOpen} />}
      </div>
      {problem !== null && target.is_enabled && (
        <p className="wrap-anywhere mt-1 text-critical-text text-label">{problem}</p>
      )}
      <div id={detailsId} hidden={!isOpen}>
        {isOpen && <Instances target={target} />}
      </div>
    </li>
  );
}

function TargetState({ target }: { readonly target: Target }) {
  const { is_enabled: isEnabled, failing, instance_count: count, discovery_error: discoveryError } = target;
  if (!isEnabled) return <Badge title="Nothing is pulled">Switched off</Badge>;
  if (discoveryError !== null) return <Badge tone="critical">Not found</Badge>;
  if (failing > 0)
    return <Badge tone="critical">{`${exactCount(failing)} of ${exactCount(count)} failing`}</Badge>;
  return null;
}

/** How long the server takes at most to notice a change. */
const noticeSeconds = 10;

/** In place of the processes of a target that has none yet. */
function Unscraped({ target }: { readonly target: Target }) {
  const { interval_seconds: interval, changed_at: at, discovery_error: error } = target;
  const seconds = interval + noticeSeconds;
  const isNew = useNow() < Date.parse(at) + seconds * 1000;
  return isNew && error === null ? `First scrape within ${seconds} s` : "0 processes";
}

function Instances({ target }: { readonly target: Target }) {
  const { instances, instance_count: count } = target;
  if (instances.length === 0)
    return (
      <p className="mt-2 text-label text-muted">
        {target.is_enabled ? <Unscraped target={target} /> : "Switched off"}
      </p>
    );
  return (
    <ul className="mt-2 flex flex-col gap-1.5 text-label">
      {instances.map((each) => (
        <li key={each.instance}>
          <span className="font-mono">{each.instance}</span>{" "}
          <span className="text-muted">{each.service}</span> <ScrapeText instance={each} />
          {each.error !== null && <p className="wrap-anywhere text-critical-text">{each.error}</p>}
        </li>
      ))}
      {count > instances.length && (
        <li className="text-muted">and {exactCount(count - instances.length)} more</li>
      )}
    </ul>
  );
}

function ScrapeText({ instance }: { readonly instance: TargetInstance }) {
  const { last_scrape_at: last, next_scrape_at: next, duration_ms: ms, profiles } = instance;
  return (
    <span className="text-muted">
      {last === null ? (
        "not scraped yet"
      ) : (
        <>
          scraped <RelativeTime at={last} /> in {((ms ?? 0) / 1000).toFixed(1)} s:{" "}
          {plural(profiles, "profile")}
        </>
      )}
      {next !== null && <NextScrape at={next} />}
    </span>
  );
}

/** A moment that has come is left out: the state is read a few seconds later. */
function NextScrape({ at }: { readonly at: string }) {
  const nowMs = useNow();
  if (Date.parse(at) - nowMs < 1000) return null;
  return `, next in ${timeBetween(new Date(nowMs).toISOString(), at)}`;
}

function TargetActions({ target, onOpen }: Pick<TargetRowProps, "target" | "onOpen">) {
  const { id, name, is_enabled: isEnabled } = target;
  const switching = useChange({
    send: () =>
      call(updateTarget, {
        params: { id },
        body: { ...givenOf(target), is_enabled: !isEnabled },
      }),
    stale: [targetsQuery],
    done: ({ target: changed }) => `${changed.name} is switched ${changed.is_enabled ? "on" : "off"}`,
  });
  return (
    <span className="ml-auto flex gap-1">
      <Button
        variant="ghost"
        size="sm"
        // A button that is disabled loses the focus.
        aria-disabled={switching.isPending}
        aria-label={`Switch ${name} ${isEnabled ? "off" : "on"}`}
        onClick={() => !switching.isPending && switching.mutate()}
      >
        {isEnabled ? "Off" : "On"}
      </Button>
      <Button
        variant="ghost"
        size="sm"
        aria-label={`Edit ${name}`}
        onClick={() => onOpen({ kind: "edit", target })}
      >
        Edit
      </Button>
      <Button
        variant="ghost"
        size="sm"
        aria-label={`Delete ${name}`}
        onClick={() => onOpen({ kind: "remove", target })}
      >
        Delete
      </Button>
    </span>
  );
}

interface RemoveTargetDialogProps extends Closable {
  readonly target: Target;
  readonly focusAfter: RefObject<HTMLElement | null>;
}

function RemoveTargetDialog({ target, focusAfter, onClose }: RemoveTargetDialogProps) {
  return (
    <ConfirmDialog
      title={`Delete ${target.name}?`}
      description="The server stops pulling its processes. Their profiles stay."
      action="Delete target"
      failure="Failed to delete the target"
      send={() => call(removeTarget, { params: { id: target.id } })}
      done={({ name }) => `${name} is deleted`}
      focusAfter={focusAfter}
      stale={[targetsQuery]}
      onClose={onClose}
    />
  );
}
