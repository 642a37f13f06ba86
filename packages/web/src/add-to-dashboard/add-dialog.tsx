import { createDashboard, limits, readDashboard, saveDashboard, serviceVariable } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { call } from "#api/call.ts";
import { Field } from "#ui/controls/field.tsx";
import { useForm } from "#ui/controls/form-problems.tsx";
import { LabelledSelect } from "#ui/controls/select.tsx";
import type { Closable } from "#ui/overlays/dialog.tsx";
import { FormDialog, useFinish } from "#ui/overlays/form-dialog.tsx";
import { type NewPanel, panelName, placed } from "./panel-names.ts";
import { dashboardsQuery, queriesOfDashboard } from "./queries.ts";

interface AddDialogProps extends Closable {
  readonly panels: readonly NewPanel[];
}

interface Choice {
  /** Index of the panel, as text. */
  readonly panel: string;
  /** Id of a dashboard; empty: a new one. Undefined before it is chosen: the one saved last. */
  readonly dashboard: string | undefined;
  readonly name: string;
  readonly service: "fixed" | "variable";
}

const noService = undefined;

/** Chooses the panel, its service, and the dashboard that it is added to. */
export function AddDialog({ panels, onClose }: AddDialogProps) {
  const finish = useFinish(onClose);
  const dashboards = useQuery(dashboardsQuery).data?.dashboards ?? [];
  const last = dashboards.toSorted((a, b) => (a.saved_at < b.saved_at ? 1 : -1))[0]?.id ?? "";
  const form = useForm<Choice, { readonly id: string; readonly name: string }>({
    initial: () => ({ panel: "0", dashboard: undefined, name: "", service: "variable" }),
    check: ({ dashboard = last, name }) =>
      dashboard === "" && name.trim() === "" ? [{ field: "name", text: "Name the new dashboard" }] : [],
    send: ({ dashboard = last, ...choice }) => addPanel(panels[Number(choice.panel)]!, dashboard, choice),
    onSent: ({ id, name }) => finish(`Added to ${name}`, ...queriesOfDashboard(id)),
  });
  const { panel: chosen, dashboard = last } = form.values;
  const service = serviceOf(panels[Number(chosen)]!);
  return (
    <FormDialog
      form={form}
      title="Add to dashboard"
      action="Add"
      pending="Adding..."
      failure="Failed to add the panel"
      onClose={onClose}
    >
      {panels.length > 1 && (
        <LabelledSelect
          label="Panel"
          options={panels.map((panel, at) => ({ value: String(at), label: panelName(panel) }))}
          {...form.choice("panel")}
        />
      )}
      {service !== noService && (
        <LabelledSelect
          label="Service"
          options={[
            { value: "variable" as const, label: "The service chosen on the dashboard" },
            { value: "fixed" as const, label: `Always ${service}` },
          ]}
          {...form.choice("service")}
        />
      )}
      <LabelledSelect
        label="Dashboard"
        options={[
          { value: "", label: "New dashboard" },
          ...dashboards.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={dashboard}
        onChange={(id) => form.set({ dashboard: id })}
      />
      {dashboard === "" && (
        <Field
          label="Name"
          placeholder="Checkout on call"
          autoComplete="off"
          maxLength={limits.dashboardNameLengthMax}
          {...form.field("name")}
        />
      )}
    </FormDialog>
  );
}

function serviceOf(panel: NewPanel): string | undefined {
  return "service" in panel ? (panel.service ?? noService) : noService;
}

/** Appends the panel to the latest version of the dashboard, or creates one whose service is the panel's. */
async function addPanel(
  panel: NewPanel,
  id: string,
  { name, service: which }: Pick<Choice, "name" | "service">,
) {
  const service = serviceOf(panel);
  const added =
    which === "variable" && service !== noService
      ? ({ ...panel, service: serviceVariable } as NewPanel)
      : panel;
  if (id === "") {
    const body = { name: name.trim(), variables: { service: service ?? "" }, panels: [placed(added, [])] };
    return call(createDashboard, { body });
  }
  const latest = await call(readDashboard, { params: { id } });
  const panels = [...latest.panels, placed(added, latest.panels)];
  return call(saveDashboard, { params: { id }, body: { ...latest, panels } });
}
