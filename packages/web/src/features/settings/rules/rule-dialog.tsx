import { type AlertRule, createAlertRule, limits, updateAlertRule } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { call } from "#api/call.ts";
import { ServiceField, useServiceNames } from "#profile-list/service-field.tsx";
import { TagsField } from "#settings/parts/tags-field.tsx";
import { Field } from "#ui/controls/field.tsx";
import { type Form, useForm } from "#ui/controls/form-problems.tsx";
import { LabelledSelect } from "#ui/controls/select.tsx";
import { useDebounced } from "#ui/hooks/search-text.ts";
import type { Closable } from "#ui/overlays/dialog.tsx";
import { FormDialog, useFinish } from "#ui/overlays/form-dialog.tsx";
import {
  conditionOf,
  type Draft,
  draftOf,
  isOfRequests,
  type NewRule,
  newDraft,
  problemsOf,
  ruleBodyOf,
  withSignal,
} from "./draft.ts";
import { likelyUnit, signalsOf, unitWords } from "./model.ts";
import { previewQuery, queriesOfRules, type RuleCondition, sampleTypesQuery } from "./queries.ts";
import { RulePreviewPanel } from "./rule-preview.tsx";

type RuleDialogProps = Closable &
  (
    | { readonly rule: AlertRule; readonly fields?: never }
    | { readonly rule?: never; readonly fields: NewRule }
  );

/** A preview is read once nothing was typed for this long. */
const previewDelayMs = 500;
/** The query needs a condition before a service is entered. It is never sent. */
const noCondition: RuleCondition = { service: "", comparison: "above", threshold: 0, minutes: 1 };

/** Creates a rule, with the fields that a link gave, or changes one. */
export function RuleDialog({ rule, fields, onClose }: RuleDialogProps) {
  const finish = useFinish(onClose);
  const form = useForm({
    initial: () => (rule === undefined ? newDraft(fields) : draftOf(rule)),
    check: problemsOf,
    send(draft) {
      const body = ruleBodyOf(draft);
      return rule === undefined
        ? call(createAlertRule, { body })
        : call(updateAlertRule, { params: { id: rule.id }, body: { ...body, is_enabled: rule.is_enabled } });
    },
    onSent: ({ rule: saved }) =>
      finish(`${saved.name} is ${rule === undefined ? "created" : "changed"}`, ...queriesOfRules),
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
      description="Opens when every value in this period is past the threshold."
      size="wide"
      action={rule === undefined ? "Create rule" : "Save rule"}
      pending="Saving..."
      failure="Failed to save the rule"
      onClose={onClose}
    >
      <RuleFields form={form} />
      {condition !== undefined && <RulePreviewPanel query={preview} draft={draft} />}
    </FormDialog>
  );
}

const comparisons = [
  { value: "above", label: "is above" },
  { value: "below", label: "is below" },
] as const;

const severities = [
  { value: "critical", label: "Critical" },
  { value: "warning", label: "Warning" },
  { value: "info", label: "Info" },
] as const;

interface RuleFieldsProps {
  readonly form: Form<Draft>;
}

function RuleFields({ form }: RuleFieldsProps) {
  const { values: draft, set } = form;
  const name = draft.service.trim();
  const isExisting = useServiceNames(draft.service)?.includes(name) ?? false;
  const { data } = useQuery({ ...sampleTypesQuery(name), enabled: isExisting });
  const signals = signalsOf(data?.charts ?? [], draft.signal);
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <ServiceField {...form.field("service")} />
      <LabelledSelect
        label="Signal"
        value={draft.signal.value}
        options={signals}
        onChange={(value) => {
          const signal = signals.find((each) => each.value === value);
          if (signal !== undefined) set(withSignal(draft, signal));
        }}
      />
      <ThresholdFields form={form} />
      <LabelledSelect label="Severity" options={severities} {...form.choice("severity")} />
      <Field
        label="Name"
        placeholder="Optional"
        autoComplete="off"
        maxLength={limits.ruleNameLengthMax}
        {...form.field("name")}
      />
      {isOfRequests(draft) && (
        <div className="sm:col-span-2">
          <Field
            label="Route"
            placeholder="GET /orders/{id}"
            autoComplete="off"
            maxLength={limits.ruleRouteLengthMax}
            {...form.field("route", "Optional. Method and path as sent, or the path alone.")}
          />
        </div>
      )}
      {!isOfRequests(draft) && (
        <div className="sm:col-span-2">
          <TagsField
            service={draft.service}
            placeholder="env:production, region:eu"
            {...form.field("tags", "Optional. Only profiles with all of these tags.")}
          />
        </div>
      )}
    </div>
  );
}

/** `above 2 GB for 10 minutes` in one row. */
function ThresholdFields({ form }: RuleFieldsProps) {
  const { signal, factor } = form.values;
  const units = unitWords(signal, likelyUnit(signal)).map((unit) => ({
    value: String(unit.factor),
    label: unit.word,
  }));
  return (
    <div className="grid grid-cols-2 gap-x-3 gap-y-5 sm:col-span-2 sm:grid-cols-[1fr_1fr_1.3fr_1fr]">
      <LabelledSelect label="Alert if it" options={comparisons} {...form.choice("comparison")} />
      <Field
        label="Threshold"
        inputMode="decimal"
        placeholder="2"
        autoComplete="off"
        {...form.field("amount")}
      />
      <LabelledSelect
        label="Unit"
        value={String(factor)}
        options={units}
        onChange={(chosen) => form.set({ factor: Number(chosen) })}
      />
      <Field label="Period (minutes)" inputMode="numeric" autoComplete="off" {...form.field("minutes")} />
    </div>
  );
}
