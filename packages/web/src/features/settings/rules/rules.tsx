import { type AlertRule, removeAlertRule } from "@flamekeep/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Ruler } from "lucide-react";
import { Suspense, useState } from "react";
import { SeverityMark } from "#alert-list/severity-mark.tsx";
import { call } from "#api/call.ts";
import { lazyPart } from "#api/import-page.ts";
import { ReadOnlyNote } from "#layout/read-only-note.tsx";
import { useMayChange } from "#session/session.ts";
import { Badge } from "#ui/content/badge.tsx";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Message } from "#ui/content/message.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { SkeletonBlocks } from "#ui/content/skeleton.tsx";
import { Button } from "#ui/controls/button.tsx";
import { cx } from "#ui/cx.ts";
import { ConfirmDialog } from "#ui/overlays/confirm-dialog.tsx";
import { showToast } from "#ui/overlays/toast.ts";
import { conditionText } from "./model.ts";
import { refreshRules, rulesQuery, useSwitchRule } from "./queries.ts";

/** Loaded when it opens: it has a chart. */
const RuleDialog = lazyPart(async () => (await import("./rule-dialog.tsx")).RuleDialog);

type OpenDialog = { readonly kind: "edit" | "remove"; readonly rule: AlertRule } | undefined;

export function Rules() {
  const query = useQuery(rulesQuery);
  const mayChange = useMayChange();
  const navigate = useNavigate({ from: "/settings" });
  const { rule: isNew, service } = useSearch({ from: "/protected/settings" });
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = () => setDialog(undefined);
  const setIsNew = (opens: boolean) =>
    void navigate({
      search: (search) => ({ ...search, rule: opens ? "new" : undefined, service: undefined }),
      resetScroll: false,
    });
  return (
    <Card>
      <CardHeader
        title="Rules"
        detail="Thresholds that you set. An alert opens once all values of some minutes are beyond one."
        actions={mayChange ? <Button onClick={() => setIsNew(true)}>Create a rule</Button> : <ReadOnlyNote />}
      />
      <Panel
        query={query}
        loading={
          <SkeletonBlocks
            label="Loading rules"
            count={1}
            className="h-8 w-72"
            layoutClass="border-line border-t p-4"
          />
        }
        errorTitle="Failed to load rules"
        empty={({ rules }) => (rules.length === 0 ? <NoRules /> : null)}
      >
        {({ rules }) => (
          <ul className="divide-y divide-line border-line border-t">
            {rules.map((rule) => (
              <RuleRow key={rule.id} rule={rule} mayChange={mayChange} onOpen={setDialog} />
            ))}
          </ul>
        )}
      </Panel>
      <Suspense>
        {isNew === "new" && mayChange && (
          <RuleDialog service={service ?? ""} onClose={() => setIsNew(false)} />
        )}
        {dialog?.kind === "edit" && <RuleDialog rule={dialog.rule} onClose={close} />}
      </Suspense>
      {dialog?.kind === "remove" && <RemoveRuleDialog rule={dialog.rule} onClose={close} />}
    </Card>
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

function RuleState({ rule }: { readonly rule: AlertRule }) {
  if (!rule.is_enabled) return <Badge title="It opens no alert">Off</Badge>;
  if (!rule.is_firing) return null;
  return (
    <Badge tone={rule.severity === "info" ? "neutral" : rule.severity} title="Its alert is open">
      Alert open
    </Badge>
  );
}

function RuleActions({ rule, onOpen }: Pick<RuleRowProps, "rule" | "onOpen">) {
  const switching = useSwitchRule();
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
        onClick={() => switching.mutate(rule)}
      >
        {rule.is_enabled ? "Switch off" : "Switch on"}
      </Button>
      {action("Edit", "edit")}
      {action("Delete", "remove")}
    </div>
  );
}

function NoRules() {
  return (
    <div className="border-line border-t">
      <Message icon={Ruler} title="No rules">
        <p>
          Every service is watched without them. Add a rule for a limit that you know, such as the memory of a
          container.
        </p>
      </Message>
    </div>
  );
}

interface RemoveRuleDialogProps {
  readonly rule: AlertRule;
  readonly onClose: () => void;
}

export function RemoveRuleDialog({ rule, onClose }: RemoveRuleDialogProps) {
  const client = useQueryClient();
  return (
    <ConfirmDialog
      title={`Delete ${rule.name}?`}
      description={
        rule.is_firing
          ? "Its open alert is resolved. Its alerts stay in the list."
          : "It opens no more alerts. Its earlier alerts stay in the list."
      }
      action="Delete"
      failure="Failed to delete the rule"
      send={() => call(removeAlertRule, { params: { id: rule.id } })}
      onSent={() => {
        refreshRules(client);
        showToast(`${rule.name} is deleted`);
        onClose();
      }}
      onClose={onClose}
    />
  );
}
