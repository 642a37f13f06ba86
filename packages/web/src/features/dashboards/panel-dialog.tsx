import {
  type DashboardPanel,
  type GraphType,
  graphTypes,
  isRequestFigure,
  type LaneFigure,
  laneFigures,
  limits,
  type PanelKind,
  serviceVariable,
} from "@flamekeep/contract";
import { isServiceName } from "@flamekeep/contract/readable";
import { figureName, firstWidths, freeId } from "#add-to-dashboard/panel-names.ts";
import { profileTypeLabel } from "#format/names.ts";
import { ServiceField } from "#profile-list/service-field.tsx";
import { Field } from "#ui/controls/field.tsx";
import { type Form, type Problem, useForm } from "#ui/controls/form-problems.tsx";
import { LabelledSelect } from "#ui/controls/select.tsx";
import type { Closable } from "#ui/overlays/dialog.tsx";
import { FormDialog } from "#ui/overlays/form-dialog.tsx";
import { panelKinds, panelTable } from "./panels/table.ts";

interface PanelDialogProps extends Closable {
  /** Undefined for a new one. */
  readonly panel: DashboardPanel | undefined;
  readonly panels: readonly DashboardPanel[];
  readonly onDone: (panel: DashboardPanel) => void;
}

/** The fields of all kinds: a change of the kind keeps them. */
interface Draft {
  readonly kind: PanelKind;
  readonly title: string;
  readonly width: "1" | "2" | "3";
  /** Empty: of all services. */
  readonly service: string;
  readonly figure: LaneFigure;
  /** The route of a lane of requests; undefined for all routes. */
  readonly route: string | undefined;
  readonly type: GraphType;
  readonly text: string;
}

/** Adds a panel to the edited dashboard, or changes one. */
export function PanelDialog({ panel, panels, onDone, onClose }: PanelDialogProps) {
  const form = useForm<Draft, DashboardPanel>({
    initial: () => draftOf(panel),
    check: problemsOf,
    send: async (draft) => panelOf(draft, panel?.id ?? freeId(draft.kind, panels)),
    onSent: (made) => {
      onDone(made);
      onClose();
    },
  });
  const { kind } = form.values;
  const kinds = panelKinds.map((value) => ({ value, label: panelTable[value].label }));
  return (
    <FormDialog
      form={form}
      title={panel === undefined ? "Add a panel" : "Edit panel"}
      action={panel === undefined ? "Add panel" : "Apply"}
      pending="Applying..."
      failure="Failed to change the panel"
      onClose={onClose}
    >
      <LabelledSelect
        label="Kind"
        value={kind}
        options={kinds}
        onChange={(next) => form.set({ kind: next, width: `${firstWidths[next]}` })}
      />
      <KindFields form={form} />
      <Field
        label="Title"
        placeholder="Optional"
        autoComplete="off"
        maxLength={limits.panelTitleLengthMax}
        {...form.field("title")}
      />
      <LabelledSelect label="Width" options={widths} {...form.choice("width")} />
    </FormDialog>
  );
}

const widths = [
  { value: "1", label: "One column" },
  { value: "2", label: "Two columns" },
  { value: "3", label: "Three columns" },
] as const;

const figures = laneFigures.map((value) => ({ value, label: figureName(value) }));
const types = graphTypes.map((value) => ({ value, label: profileTypeLabel(value) }));

function KindFields({ form }: { readonly form: Form<Draft> }) {
  const { kind } = form.values;
  if (kind === "note")
    return (
      <Field
        label="Text"
        render={<textarea rows={5} />}
        className="h-auto! py-2"
        maxLength={limits.panelNoteLengthMax}
        {...form.field("text", "Plain text. Line breaks are kept.")}
      />
    );
  const hint =
    kind === "alerts"
      ? `A name, ${serviceVariable} for the service of the dashboard, or empty for all services.`
      : `A name, or ${serviceVariable} for the service of the dashboard.`;
  return (
    <>
      {kind === "lane" && <LabelledSelect label="Figure" options={figures} {...form.choice("figure")} />}
      {(kind === "flame_graph" || kind === "top") && (
        <LabelledSelect label="Profile type" options={types} {...form.choice("type")} />
      )}
      <ServiceField {...form.field("service", hint)} />
    </>
  );
}

function draftOf(panel: DashboardPanel | undefined): Draft {
  return {
    kind: panel?.kind ?? "lane",
    title: panel?.title ?? "",
    width: `${(panel?.width ?? 1) as 1 | 2 | 3}`,
    service: panel === undefined || !("service" in panel) ? serviceVariable : (panel.service ?? ""),
    figure: panel?.kind === "lane" ? panel.figure : "cpu",
    route: panel?.kind === "lane" ? panel.route : undefined,
    type: panel?.kind === "flame_graph" || panel?.kind === "top" ? panel.type : "cpu",
    text: panel?.kind === "note" ? panel.text : "",
  };
}

function problemsOf({ kind, service, text }: Draft): Problem[] {
  if (kind === "note") return text.trim() === "" ? [{ field: "text", text: "The note has no text" }] : [];
  const name = service.trim();
  if (name === serviceVariable || isServiceName(name) || (kind === "alerts" && name === "")) return [];
  return [{ field: "service", text: `Service must be ${serviceVariable} or a name such as checkout` }];
}

function panelOf(draft: Draft, id: string): DashboardPanel {
  const { kind, figure, route, type, text } = draft;
  const common = { id, title: draft.title.trim(), width: Number(draft.width) };
  const service = draft.service.trim();
  switch (kind) {
    case "lane":
      return { kind, ...common, service, figure, ...(isRequestFigure(figure) && route && { route }) };
    case "flame_graph":
    case "top":
      return { kind, ...common, service, type };
    case "routes":
      return { kind, ...common, service };
    case "alerts":
      return { kind, ...common, service: service === "" ? null : service };
    case "note":
      return { kind, ...common, text };
  }
}
