import { type AlertRule, httpRouteOf, removeAlertRule, updateAlertRule } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Ruler } from "lucide-react";
import { Suspense, useState } from "react";
import { SeverityMark } from "#alert-list/severity-mark.tsx";
import { call } from "#api/call.ts";
import { lazyPart } from "#api/import-page.ts";
import { ReadOnlyNote } from "#layout/read-only-note.tsx";
import { useMayChange } from "#session/session.ts";
import { ListCard, LoadingRows, NothingListed } from "#settings/parts/parts.tsx";
import { Badge } from "#ui/content/badge.tsx";
import { Button } from "#ui/controls/button.tsx";
import { cx } from "#ui/cx.ts";
import { ConfirmDialog } from "#ui/overlays/confirm-dialog.tsx";
import type { Closable } from "#ui/overlays/dialog.tsx";
import { useChange } from "#ui/overlays/use-change.ts";
import { bodyOf, conditionText } from "./model.ts";
import { queriesOfRules, rulesQuery } from "./queries.ts";

/** Loaded when it opens: it has a chart. */
const RuleDialog = lazyPart(async () => (await import("./rule-dialog.tsx")).RuleDialog);

/** Fields of a new rule in the URL. */
const noFields = { service: undefined, signal: undefined, route: undefined, threshold: undefined };

type OpenDialog = { readonly kind: "edit" | "remove"; readonly rule: AlertRule } | undefined;

export function Rules() {
  const query = useQuery(rulesQuery);
  const mayChange = useMayChange();
  const navigate = useNavigate({ from: "/settings" });
  const { rule: isNew, ...fields } = useSearch({ from: "/protected/settings" });
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = () => setDialog(undefined);
  const setIsNew = (opens: boolean) =>
    void navigate({
      search: (search) => ({ ...search, ...noFields, rule: opens ? "new" : undefined }),
      resetScroll: false,
    });
  return (
    <>
      <ListCard
        title="Rules"
        detail="Your own thresholds. An alert opens when every value in the rule's period is past its threshold."
        actions={mayChange ? <Button onClick={() => setIsNew(true)}>Create a rule</Button> : <ReadOnlyNote />}
        query={query}
        nouns="rules"
        loading={<LoadingRows nouns="rules" count={1} className="h-8 w-72" />}
        items={({ rules }) => rules}
        nothing={
          <NothingListed icon={Ruler} title="No rules">
            Every service is watched without rules. Add one for a known limit, such as the memory of a
            container.
          </NothingListed>
        }
      >
        {(rule) => <RuleRow rule={rule} mayChange={mayChange} onOpen={setDialog} />}
      </ListCard>
      <Suspense>
        {isNew === "new" && mayChange && <RuleDialog fields={fields} onClose={() => setIsNew(false)} />}
        {dialog?.kind === "edit" && <RuleDialog rule={dialog.rule} onClose={close} />}
      </Suspense>
      {dialog?.kind === "remove" && <RemoveRuleDialog rule={dialog.rule} onClose={close} />}
    </>
  );
}

interface RuleRowProps {
  readonly rule: AlertRule;
  readonly mayChange: boolean;
  readonly onOpen: (dialog: OpenDialog) => void;
}

function RuleRow({ rule, mayChange, onOpen }: RuleRowProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
      <div className={cx("min-w-0 flex-1 basis-72", !rule.is_enabled && "text-muted")}>
        <p className="flex min-w-0 flex-wrap items-center gap-2">
          <span title={rule.name} className="min-w-0 truncate font-medium">
            {rule.name}
          </span>
          <RuleState rule={rule} />
        </p>
        <p className="wrap-anywhere mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-label text-muted">
          <Link
            to="/profiles/service/$serviceName"
            params={{ serviceName: rule.service }}
            className="hover:text-accent-text hover:underline"
          >
            {rule.service}
          </Link>
          {rule.route !== null && <RouteLink service={rule.service} route={rule.route} />}
          {conditionText(rule)}
          {Object.entries(rule.tags).map(([name, value]) => (
            <Badge key={name}>{`${name}:${value}`}</Badge>
          ))}
        </p>
      </div>
      <span className="w-20">
        <SeverityMark severity={rule.severity} />
      </span>
      {mayChange && <RuleActions rule={rule} onOpen={onOpen} />}
    </li>
  );
}

function RouteLink({ service, route }: { readonly service: string; readonly route: string }) {
  const { method, path } = httpRouteOf(route);
  return (
    <Link
      to="/projects/$projectId/route"
      params={{ projectId: service }}
      search={{ path, ...(method !== "" && { method }) }}
      className="font-mono text-code hover:text-accent-text hover:underline"
    >
      {route}
    </Link>
  );
}

function RuleState({ rule }: { readonly rule: AlertRule }) {
  if (!rule.is_enabled) return <Badge title="Opens no alerts">Off</Badge>;
  if (!rule.is_firing) return null;
  return (
    <Badge tone={rule.severity === "info" ? "neutral" : rule.severity} title="Its alert is open">
      Alert open
    </Badge>
  );
}

function RuleActions({ rule, onOpen }: Pick<RuleRowProps, "rule" | "onOpen">) {
  const switching = useChange({
    send: () =>
      call(updateAlertRule, {
        params: { id: rule.id },
        body: { ...bodyOf(rule), is_enabled: !rule.is_enabled },
      }),
    stale: queriesOfRules,
    done: ({ rule: { name, is_enabled } }) => `${name} is switched ${is_enabled ? "on" : "off"}`,
  });
  const action = (label: string, kind: "edit" | "remove") => (
    <Button
      variant="ghost"
      size="sm"
      aria-label={`${label} ${rule.name}`}
      onClick={() => onOpen({ kind, rule })}
    >
      {label}
    </Button>
  );
  return (
    <div className="flex items-center gap-1">
      <Button
        size="sm"
        disabled={switching.isPending}
        aria-label={`${rule.is_enabled ? "Switch off" : "Switch on"} ${rule.name}`}
        onClick={() => switching.mutate()}
      >
        {rule.is_enabled ? "Switch off" : "Switch on"}
      </Button>
      {action("Edit", "edit")}
      {action("Delete", "remove")}
    </div>
  );
}

export function RemoveRuleDialog({ rule, onClose }: Closable & { readonly rule: AlertRule }) {
  return (
    <ConfirmDialog
      title={`Delete ${rule.name}?`}
      description={
        rule.is_firing
          ? "Its open alert resolves. Its alerts stay in the list."
          : "It opens no more alerts. Earlier alerts stay in the list."
      }
      action="Delete"
      failure="Failed to delete the rule"
      send={() => call(removeAlertRule, { params: { id: rule.id } })}
      done={() => `${rule.name} is deleted`}
      stale={queriesOfRules}
      onClose={onClose}
    />
  );
}
