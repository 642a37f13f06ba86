import { type AlertRule, createAlertRule, limits, updateAlertRule } from "@flamekeep/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ChangeEvent, useMemo } from "react";
import { call } from "#api/call.ts";
import { ServiceField } from "#settings/parts/parts.tsx";
import { allServicesQuery } from "#settings/parts/queries.ts";
import { Field } from "#ui/controls/field.tsx";
import { type CheckedForm, useForm } from "#ui/controls/form-problems.tsx";
import { LabelledSelect } from "#ui/controls/select.tsx";
import { useDebounced } from "#ui/hooks/search-text.ts";
import { FormDialog } from "#ui/overlays/form-dialog.tsx";
import { showToast } from "#ui/overlays/toast.ts";
import {
  conditionOf,
  type Draft,
  draftOf,
  isOfRequests,
  newDraft,
  problemsOf,
  ruleBodyOf,
  withSignal,
} from "./draft.ts";
import { likelyUnit, signalsOf, unitWords } from "./model.ts";
import { previewQuery, type RuleCondition, refreshRules, sampleTypesQuery } from "./queries.ts";
import { RulePreviewPanel } from "./rule-preview.tsx";

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
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  readonly hintOf: CheckedForm["hintOf"];
}

/** Gives the properties of the field in which a text of the draft is edited. */
function textFields(draft: Draft, onChange: RuleFieldsProps["onChange"]) {
  return (key: "name" | "service" | "tagText" | "amount" | "minutes") => ({
    autoComplete: "off",
    value: draft[key],
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => onChange({ ...draft, [key]: target.value }),
  });
}

function RuleFields({ draft, onChange, hintOf }: RuleFieldsProps) {
  const text = textFields(draft, onChange);
  const services = useQuery(allServicesQuery).data?.services ?? [];
  const name = draft.service.trim();
  const isExisting = services.some((each) => each.name === name);
  const { data } = useQuery({ ...sampleTypesQuery(name), enabled: isExisting });
  const signals = signalsOf(data?.charts ?? [], draft.signal);
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <ServiceField name="service" {...text("service")} {...hintOf("service")} />
      <LabelledSelect
        label="Signal"
        value={draft.signal.value}
        options={signals}
        onChange={(value) => {
          const signal = signals.find((each) => each.value === value);
          if (signal !== undefined) onChange(withSignal(draft, signal));
        }}
      />
      <ThresholdFields draft={draft} onChange={onChange} hintOf={hintOf} />
      <LabelledSelect
        label="Severity"
        value={draft.severity}
        options={severities}
        onChange={(severity) => onChange({ ...draft, severity })}
      />
      <Field
        label="Name"
        name="name"
        placeholder="Optional"
        maxLength={limits.ruleNameLengthMax}
        {...text("name")}
        {...hintOf("name")}
      />
      {!isOfRequests(draft) && (
        <div className="sm:col-span-2">
          <Field
            label="Tags"
            name="tags"
            placeholder="env:production, region:eu"
            {...text("tagText")}
            {...hintOf("tags", "Optional. Only profiles with all of them count.")}
          />
        </div>
      )}
    </div>
  );
}

/** `above 2 GB for 10 minutes` in one row. */
function ThresholdFields({ draft, onChange, hintOf }: RuleFieldsProps) {
  const text = textFields(draft, onChange);
  const words = unitWords(draft.signal, likelyUnit(draft.signal));
  const units = words.map(({ word, factor }) => ({ value: String(factor), label: word }));
  return (
    <div className="grid grid-cols-2 gap-x-3 gap-y-5 sm:col-span-2 sm:grid-cols-[1fr_1fr_1.3fr_1fr]">
      <LabelledSelect
        label="Alert if it"
        value={draft.comparison}
        options={comparisons}
        onChange={(comparison) => onChange({ ...draft, comparison })}
      />
      <Field
        label="Threshold"
        name="amount"
        inputMode="decimal"
        placeholder="2"
        {...text("amount")}
        {...hintOf("amount")}
      />
      <LabelledSelect
        label="Unit"
        value={String(draft.factor)}
        options={units}
        onChange={(factor) => onChange({ ...draft, factor: Number(factor) })}
      />
      <Field
        label="For minutes"
        name="minutes"
        inputMode="numeric"
        {...text("minutes")}
        {...hintOf("minutes")}
      />
    </div>
  );
}
