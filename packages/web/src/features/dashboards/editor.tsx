import {
  type Dashboard,
  type DashboardDefinition,
  type DashboardPanel,
  type DashboardVariable,
  limits,
  saveDashboard,
} from "@flamekeep/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { panelName } from "#add-to-dashboard/panel-names.ts";
import { dashboardQuery, dashboardsQuery, queriesOfDashboard } from "#add-to-dashboard/queries.ts";
import { call } from "#api/call.ts";
import { CallFailure, serverText } from "#api/reply.ts";
import { Card } from "#ui/content/card.tsx";
import { Warning } from "#ui/content/message.tsx";
import { Button } from "#ui/controls/button.tsx";
import { Field } from "#ui/controls/field.tsx";
import { showToast, showUndoToast } from "#ui/overlays/toast.ts";
import { definitionOf, editedValues, moved, placedAt, restoredAt, withPanel } from "./model.ts";
import { PanelControls } from "./panel-controls.tsx";
import { PanelDialog } from "./panel-dialog.tsx";
import { PanelGrid } from "./panel-grid.tsx";

interface DashboardEditorProps {
  readonly dashboard: Dashboard;
  readonly onClose: () => void;
}

/** A dashboard while it is edited: nothing is stored before Save. */
export function DashboardEditor({ dashboard, onClose }: DashboardEditorProps) {
  const [draft, setDraft] = useState(() => definitionOf(dashboard));
  // Not the version of a later read: a save of somebody else would be overwritten without a conflict.
  const [version] = useState(dashboard.version);
  const [edited, setEdited] = useState<DashboardPanel | "new">();
  const search = useSearch({ from: "/protected/dashboards/$dashboardId" });
  const saving = useSaving({ id: dashboard.id, version }, onClose);
  const [marked, setMarked] = useState<string>();
  const changePanels = (next: (panels: readonly DashboardPanel[]) => readonly DashboardPanel[]) =>
    setDraft((current) => ({ ...current, panels: [...next(current.panels)] }));
  const closed = useClosed();
  const remove = (panel: DashboardPanel, at: number) => {
    changePanels((panels) => panels.filter(({ id }) => id !== panel.id));
    const undo = () => changePanels((panels) => restoredAt(panels, at, panel));
    showUndoToast(`${panel.title || panelName(panel)} removed`, undo, closed());
  };
  return (
    <>
      <EditorBar
        name={dashboard.name}
        isFull={draft.panels.length >= limits.dashboardPanelsMax}
        isSaving={saving.isPending}
        isNamed={draft.name.trim() !== ""}
        onAdd={() => setEdited("new")}
        onCancel={onClose}
        onSave={() => saving.mutate(draft)}
      />
      {saving.error !== null && <SaveFailure error={saving.error} id={dashboard.id} onClose={onClose} />}
      <SettingsFields draft={draft} onChange={(part) => setDraft({ ...draft, ...part })} />
      <PanelGrid
        panels={draft.panels}
        values={editedValues(draft, dashboard, search)}
        noService="Enter a default service above, or choose a service for this panel."
        markedId={marked}
        controlsOf={(panel, at) => (
          <PanelControls
            panel={panel}
            isFirst={at === 0}
            isLast={at === draft.panels.length - 1}
            onMove={(direction) => changePanels((panels) => moved(panels, panel.id, direction))}
            onOver={setMarked}
            onDrop={(target) => changePanels((panels) => placedAt(panels, panel.id, target))}
            onEdit={() => setEdited(panel)}
            onRemove={() => remove(panel, at)}
          />
        )}
      />
      {edited !== undefined && (
        <PanelDialog
          panel={edited === "new" ? undefined : edited}
          panels={draft.panels}
          onDone={(panel) => changePanels((panels) => withPanel(panels, panel))}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  );
}

/** Makes a signal that is aborted when the component goes: an undo would change a draft that nobody sees. */
function useClosed(): () => AbortSignal {
  const closing = useRef<AbortController>(undefined);
  useEffect(() => () => closing.current?.abort(), []);
  return () => {
    closing.current ??= new AbortController();
    return closing.current.signal;
  };
}

interface EditorBarProps {
  readonly name: string;
  readonly isFull: boolean;
  readonly isSaving: boolean;
  readonly isNamed: boolean;
  readonly onAdd: () => void;
  readonly onCancel: () => void;
  readonly onSave: () => void;
}

function EditorBar({ name, isFull, isSaving, isNamed, onAdd, onCancel, onSave }: EditorBarProps) {
  return (
    <div className="sticky top-16 z-20 my-3 flex flex-wrap items-center gap-2 bg-bg py-1">
      <h1 className="sr-only">Edit {name}</h1>
      <p className="mr-auto text-muted">Changes are stored when you save. Earlier versions are kept.</p>
      <Button disabled={isFull} onClick={onAdd}>
        <Plus aria-hidden className="size-4" strokeWidth={2} />
        Add panel
      </Button>
      <Button variant="ghost" onClick={onCancel}>
        Cancel
      </Button>
      <Button variant="primary" disabled={isSaving || !isNamed} onClick={onSave}>
        {isSaving ? "Saving..." : "Save"}
      </Button>
    </div>
  );
}

function useSaving({ id, version }: Pick<Dashboard, "id" | "version">, onClose: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (draft: ReturnType<typeof definitionOf>) =>
      call(saveDashboard, { params: { id }, body: { ...draft, version } }),
    onSuccess(saved) {
      client.setQueryData(dashboardQuery(id).queryKey, saved);
      void client.invalidateQueries({ queryKey: dashboardsQuery.queryKey });
      showToast(`Saved as version ${saved.version}`);
      onClose();
    },
  });
}

interface SaveFailureProps {
  readonly error: Error;
  readonly id: string;
  readonly onClose: () => void;
}

/** The reason of the server. After the save of somebody else, the way to the latest version. */
function SaveFailure({ error, id, onClose }: SaveFailureProps) {
  const client = useQueryClient();
  const isConflict = error instanceof CallFailure && error.code === "conflict";
  async function showLatest() {
    await Promise.all(queriesOfDashboard(id).map(({ queryKey }) => client.invalidateQueries({ queryKey })));
    onClose();
  }
  return (
    <div className="mb-4 flex flex-wrap items-center gap-3">
      <Warning role="alert" className="min-w-0 flex-1">
        {serverText(error, "Failed to save the dashboard")}
      </Warning>
      {isConflict && <Button onClick={() => void showLatest()}>Discard changes and show the latest</Button>}
    </div>
  );
}

interface SettingsFieldsProps {
  readonly draft: DashboardDefinition;
  readonly onChange: (part: Partial<DashboardDefinition>) => void;
}

/** Name, description, and the values that the dashboard has when it is opened. */
function SettingsFields({ draft, onChange }: SettingsFieldsProps) {
  const { name, description, variables, range } = draft;
  const variable = (each: DashboardVariable, label: string, placeholder: string) => (
    <Field
      name={each}
      label={label}
      placeholder={placeholder}
      autoComplete="off"
      maxLength={limits.serviceNameLengthMax}
      value={variables[each]}
      onChange={(event) => onChange({ variables: { ...variables, [each]: event.target.value } })}
    />
  );
  return (
    <Card className="mb-4 grid gap-4 p-4 sm:grid-cols-2 xl:grid-cols-6">
      <Field
        name="name"
        label="Name"
        required
        autoComplete="off"
        maxLength={limits.dashboardNameLengthMax}
        value={name}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <Field
        name="description"
        label="Description"
        autoComplete="off"
        maxLength={limits.dashboardDescriptionLengthMax}
        value={description}
        onChange={(event) => onChange({ description: event.target.value })}
      />
      {variable("service", "Default service", "checkout")}
      {variable("version", "Default version", "All")}
      {variable("region", "Default region", "All")}
      <Field
        name="range"
        label="Default range"
        placeholder="24h"
        autoComplete="off"
        maxLength={10}
        value={range}
        onChange={(event) => onChange({ range: event.target.value })}
      />
    </Card>
  );
}
