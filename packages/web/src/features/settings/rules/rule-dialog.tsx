import { type AlertRule, createAlertRule, updateAlertRule } from "@flamekeep/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { call } from "#api/call.ts";
import { useForm } from "#ui/controls/form-problems.tsx";
import { useDebounced } from "#ui/hooks/search-text.ts";
import { FormDialog } from "#ui/overlays/form-dialog.tsx";
import { showToast } from "#ui/overlays/toast.ts";
import { conditionOf, draftOf, newDraft, problemsOf, ruleBodyOf } from "./draft.ts";
import { previewQuery, type RuleCondition } from "./queries.ts";
import { RuleFields } from "./rule-fields.tsx";
import { RulePreviewPanel } from "./rule-preview.tsx";
import { refreshRules } from "./use-rule-change.ts";

type RuleDialogProps = {
  readonly onClose: () => void;
} & (
  | { readonly rule: AlertRule; readonly service?: never }
  | { readonly rule?: never; readonly service: string }
);

/** A preview is read once nothing was typed for this long. */
const previewDelayMs = 500;
/** The query needs a condition before a service is entered. It is never sent. */
const noCondition: RuleCondition = { service: "", comparison: "above", threshold: 0, minutes: 1 };

/** Creates a rule, for the service if one is given, or changes one. */
export function RuleDialog({ rule, service, onClose }: RuleDialogProps) {
  const client = useQueryClient();
  const form = useForm({
    initial: () => (rule === undefined ? newDraft(service) : draftOf(rule)),
    check: problemsOf,
    send(draft) {
      const body = ruleBodyOf(draft);
      return rule === undefined
        ? call(createAlertRule, { body })
        : call(updateAlertRule, { params: { id: rule.id }, body: { ...body, is_enabled: rule.is_enabled } });
    },
    onSent({ rule: saved }) {
      refreshRules(client);
      showToast(`${saved.name} is ${rule === undefined ? "created" : "changed"}`);
      onClose();
    },
  });
  const { values: draft } = form;
  const condition = useDebounced(
    useMemo(() => conditionOf(draft), [draft]),
    previewDelayMs,
  );
  const preview = useQuery({
    ...previewQuery(condition ?? noCondition),
    enabled: condition !== undefined,
  });
  return (
    <FormDialog
      form={form}
      title={rule === undefined ? "Create a rule" : "Edit rule"}
      description="An alert opens once all values of these minutes are beyond the threshold."
      size="wide"
      action={rule === undefined ? "Create rule" : "Save rule"}
      pending="Saving..."
      failure="Failed to save the rule"
      onClose={onClose}
    >
      <RuleFields draft={draft} onChange={form.set} hintOf={form.hintOf} />
      {condition !== undefined && <RulePreviewPanel query={preview} draft={draft} />}
    </FormDialog>
  );
}
