import { type AlertRule, createAlertRule, updateAlertRule } from "@flamekeep/contract";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { call } from "#api/call.ts";
import { serverText } from "#api/reply.ts";
import { FormProblems, useCheckedForm } from "#ui/controls/form-problems.tsx";
import { useDebounced } from "#ui/hooks/search-text.ts";
import { Dialog } from "#ui/overlays/dialog.tsx";
import { DialogActions } from "#ui/overlays/dialog-actions.tsx";
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

/** Creates a rule, for the service if one is given, or changes one. */
export function RuleDialog(props: RuleDialogProps) {
  return (
    <Dialog
      isOpen
      onOpenChange={(open) => !open && props.onClose()}
      title={props.rule === undefined ? "Create a rule" : "Edit rule"}
      description="An alert opens once all values of these minutes are beyond the threshold."
      size="wide"
    >
      <RuleForm {...props} />
    </Dialog>
  );
}

/** A preview is read once nothing was typed for this long. */
const previewDelayMs = 500;
/** The query needs a condition before a service is entered. It is never sent. */
const noCondition: RuleCondition = { service: "", comparison: "above", threshold: 0, minutes: 1 };

function RuleForm({ rule, service, onClose }: RuleDialogProps) {
  const client = useQueryClient();
  const [draft, setDraft] = useState(() => (rule === undefined ? newDraft(service) : draftOf(rule)));
  const condition = useDebounced(
    useMemo(() => conditionOf(draft), [draft]),
    previewDelayMs,
  );
  const preview = useQuery({
    ...previewQuery(condition ?? noCondition),
    enabled: condition !== undefined,
  });
  const body = ruleBodyOf(draft);
  const saving = useMutation({
    mutationFn: () =>
      rule === undefined
        ? call(createAlertRule, { body })
        : call(updateAlertRule, { params: { id: rule.id }, body: { ...body, is_enabled: rule.is_enabled } }),
    onSuccess({ rule: saved }) {
      refreshRules(client);
      showToast(`${saved.name} is ${rule === undefined ? "created" : "changed"}`);
      onClose();
    },
  });
  const form = useCheckedForm(
    () => problemsOf(draft),
    () => saving.mutate(),
  );
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <FormProblems
        problems={form.problems}
        failure={saving.error ? serverText(saving.error, "Failed to save the rule") : undefined}
      />
      <RuleFields draft={draft} onChange={setDraft} hintOf={form.hintOf} />
      {condition !== undefined && <RulePreviewPanel query={preview} draft={draft} />}
      <DialogActions
        label={saving.isPending ? "Saving..." : rule === undefined ? "Create rule" : "Save rule"}
        isDisabled={saving.isPending}
        onCancel={onClose}
      />
    </form>
  );
}
