import {
  type LimitName,
  limitNames,
  type OrganizationUsage,
  type operatorOverview,
  type ReplyOf,
  setOrganizationLimits,
} from "@flamekeep/contract";
import { call } from "#api/call.ts";
import { plural } from "#format/number.ts";
import { usageText } from "#limits/model.ts";
import { Field } from "#ui/controls/field.tsx";
import { useForm } from "#ui/controls/form-problems.tsx";
import type { Closable } from "#ui/overlays/dialog.tsx";
import { FormDialog, useFinish } from "#ui/overlays/form-dialog.tsx";
import {
  changeOf,
  defaultHint,
  draftOf,
  draftProblems,
  editableLimits,
  fieldLabels,
  shortenedDays,
} from "./limit-draft.ts";
import { overviewKey } from "./overview-query.ts";

interface LimitsDialogProps extends Closable {
  readonly organization: OrganizationUsage;
  /** The limits of the server. */
  readonly defaults: ReplyOf<typeof operatorOverview>["limits"];
}

/** Changes the limits of one organization. An empty field means the default of the server. */
export function LimitsDialog({ organization, defaults, onClose }: LimitsDialogProps) {
  const { id, name: organizationName, is_demo: isDemo, limits } = organization;
  const finish = useFinish(onClose);
  const form = useForm({
    initial: () => draftOf(limits),
    check: (draft) => draftProblems(draft, defaults.retention_days),
    send: (draft) => call(setOrganizationLimits, { params: { id }, body: changeOf(draft, limits) ?? {} }),
    onSent: () => finish(`The limits of ${organizationName} were changed`, { queryKey: overviewKey }),
  });
  const editable = editableLimits(limits, isDemo);
  const days = shortenedDays(form.values, limits);
  return (
    <FormDialog
      form={form}
      title={`Limits of ${organizationName}`}
      description={
        isDemo
          ? "The server fills the demo itself: only its analyses can be limited."
          : "Only fewer days of retention remove data; other limits refuse new uploads. The audit log of the organization has each change."
      }
      action={days === undefined ? "Save limits" : `Keep only ${plural(days, "day")}`}
      pending="Saving..."
      failure="Failed to change the limits"
      variant={days === undefined ? "primary" : "danger"}
      isReady={changeOf(form.values, limits) !== undefined}
      onClose={onClose}
    >
      {limitNames.map((name) => {
        if (editable.includes(name)) {
          const hint = defaultHint(name, defaultsOf(defaults)[name]);
          const field = form.field(name, hint);
          return (
            <Field key={name} label={fieldLabels[name]} inputMode="decimal" autoComplete="off" {...field} />
          );
        }
        return isDemo ? null : (
          <Field
            key={name}
            label={fieldLabels[name]}
            name={name}
            disabled
            value={draftOf(limits)[name]}
            hint={`From the file (LIMITS_FILE): ${usageText(name, limits[name])} used`}
          />
        );
      })}
      {days !== undefined && (
        <p className="text-critical-text">
          Data older than {plural(days, "day")} is removed within the hour and cannot be restored.
        </p>
      )}
    </FormDialog>
  );
}

function defaultsOf(defaults: LimitsDialogProps["defaults"]): Readonly<Record<LimitName, number>> {
  return {
    stored_bytes: defaults.stored_bytes_max,
    uploads_per_minute: defaults.organization_uploads_per_minute,
    services: defaults.services_max,
    retention_days: defaults.retention_days,
    analyses_per_day: defaults.analyses_per_day,
  };
}
