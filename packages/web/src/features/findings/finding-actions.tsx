import { type Finding, updateFinding } from "@flamekeep/contract";
import { Ban, ChevronDown, CircleCheck, Hammer, Undo2, UserPlus, UserRound } from "lucide-react";
import { useState } from "react";
import { DismissDialog } from "#ai-analysis/dismiss-dialog.tsx";
import { MemberItems } from "#alert-list/member-items.tsx";
import { call } from "#api/call.ts";
import { useMayChange } from "#session/session.ts";
import { Badge } from "#ui/content/badge.tsx";
import { Button } from "#ui/controls/button.tsx";
import { Menu, MenuItem } from "#ui/controls/menu.tsx";
import { useChange } from "#ui/overlays/use-change.ts";
import { isProposedAsDone, stateLabels } from "./model.ts";
import { findingsKey } from "./queries.ts";

const nobody = "Nobody";

interface FindingProps {
  readonly finding: Finding;
}

type Change =
  | { readonly state: Finding["state"]; readonly reason?: string }
  | { readonly owner_id: string | null };

function useFindingChange({ id }: Finding) {
  return useChange({
    send: (body: Change) => call(updateFinding, { params: { id }, body }),
    stale: [{ queryKey: findingsKey }, { queryKey: ["analyses"] }],
    done: ({ finding: { state, owner } }, change) =>
      "owner_id" in change
        ? owner
          ? `${owner.name} owns the finding`
          : "Nobody owns the finding"
        : `The finding is ${stateLabels[state].toLowerCase()}`,
  });
}

/** The member responsible: a menu for people who may change it. */
export function FindingOwner({ finding }: FindingProps) {
  const mayChange = useMayChange();
  const { mutate: change } = useFindingChange(finding);
  const { owner, issue } = finding;
  if (!mayChange) return <span className="text-muted">{owner?.name ?? nobody}</span>;
  const Icon = owner === null ? UserPlus : UserRound;
  const label =
    owner === null ? `${nobody}: choose an owner of ${issue}` : `${owner.name}: change the owner of ${issue}`;
  return (
    <Menu
      trigger={
        <Button size="sm" className="min-w-0 max-w-40" aria-label={label} title={label}>
          <Icon aria-hidden className="size-3.5 shrink-0" strokeWidth={1.75} />
          <span className="truncate">{owner?.name ?? nobody}</span>
        </Button>
      }
    >
      <MemberItems chosenId={owner?.user_id} nobody={nobody} onChoose={(owner_id) => change({ owner_id })} />
    </Menu>
  );
}

/** The state: a menu for people who may change it. One that a deploy improved has a button that marks it as done. */
export function FindingState({ finding }: FindingProps) {
  const mayChange = useMayChange();
  const [isDismissing, setIsDismissing] = useState(false);
  const { mutate, isPending } = useFindingChange(finding);
  const change = (body: Change) => !isPending && mutate(body);
  const { state, issue, function: found } = finding;
  if (!mayChange) return <Badge tone={state === "done" ? "ok" : "neutral"}>{stateLabels[state]}</Badge>;
  const label = `${stateLabels[state]}: change the state of ${issue}`;
  return (
    <span className="flex flex-wrap items-center gap-1">
      <Menu
        trigger={
          <Button size="sm" aria-disabled={isPending} aria-label={label} title={label}>
            {stateLabels[state]}
            <ChevronDown aria-hidden className="size-3.5" strokeWidth={1.75} />
          </Button>
        }
      >
        {state !== "accepted" && (
          <MenuItem onSelect={() => change({ state: "accepted" })}>
            <Hammer aria-hidden strokeWidth={1.75} />
            Accept: we will do it
          </MenuItem>
        )}
        {state !== "done" && found !== null && (
          <MenuItem onSelect={() => change({ state: "done" })}>
            <CircleCheck aria-hidden strokeWidth={1.75} />
            Mark as done
          </MenuItem>
        )}
        {state !== "dismissed" && (
          <MenuItem onSelect={() => setIsDismissing(true)}>
            <Ban aria-hidden strokeWidth={1.75} />
            Dismiss
          </MenuItem>
        )}
        {state !== "open" && (
          <MenuItem onSelect={() => change({ state: "open" })}>
            <Undo2 aria-hidden strokeWidth={1.75} />
            Open again
          </MenuItem>
        )}
      </Menu>
      {isProposedAsDone(finding) && (
        <Button size="sm" disabled={isPending} onClick={() => change({ state: "done" })}>
          Mark as done
        </Button>
      )}
      {isDismissing && (
        <DismissDialog
          onDismiss={(reason) => {
            setIsDismissing(false);
            change({ state: "dismissed", reason });
          }}
          onClose={() => setIsDismissing(false)}
        />
      )}
    </span>
  );
}
