import { limits, type Project } from "@flamekeep/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { serverText } from "#api/reply.ts";
import { Field } from "#ui/controls/field.tsx";
import { Select } from "#ui/controls/select.tsx";
import { Dialog } from "#ui/overlays/dialog.tsx";
import { DialogActions } from "#ui/overlays/dialog-actions.tsx";
import { showToast } from "#ui/overlays/toast.ts";
import { draftOf, type ProjectDraft, statusOptions } from "./model.ts";
import { saveProject } from "./queries.ts";

interface ProjectDialogProps {
  /** Undefined to create a project. */
  readonly project: Project | undefined;
  readonly onClose: () => void;
}

export function ProjectDialog({ project, onClose }: ProjectDialogProps) {
  return (
    <Dialog
      isOpen
      onOpenChange={(open) => !open && onClose()}
      title={project ? "Edit Project" : "New Project"}
      description={
        project?.is_derived
          ? `It shows the profiles of ${project.id}, even if you rename it.`
          : "A project with the exact name of a service shows the profiles of that service."
      }
    >
      <ProjectForm project={project} onClose={onClose} />
    </Dialog>
  );
}

function ProjectForm({ project, onClose }: ProjectDialogProps) {
  const client = useQueryClient();
  const [draft, setDraft] = useState(() => draftOf(project));
  const saving = useMutation({
    mutationFn: () => saveProject(project, draft),
    onSuccess: async (reply) => {
      showToast(`${reply.project.name} is ${project ? "updated" : "created"}`);
      onClose();
      await client.invalidateQueries({ queryKey: ["projects"] });
    },
  });
  const isReady = draft.name.trim() !== "" && !saving.isPending;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (isReady) saving.mutate();
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      <ProjectFields
        draft={draft}
        hasStatus={project !== undefined}
        onChange={(part) => setDraft({ ...draft, ...part })}
      />
      {saving.isError && (
        <p role="alert" className="text-critical-text">
          {serverText(saving.error, project ? "Failed to update project" : "Failed to create project")}
        </p>
      )}
      <DialogActions label={project ? "Update" : "Create"} isDisabled={!isReady} onCancel={onClose} />
    </form>
  );
}

interface ProjectFieldsProps {
  readonly draft: ProjectDraft;
  /** A new project starts active. */
  readonly hasStatus: boolean;
  readonly onChange: (part: Partial<ProjectDraft>) => void;
}

function ProjectFields({ draft, hasStatus, onChange }: ProjectFieldsProps) {
  return (
    <>
      <Field
        label="Name"
        name="name"
        required
        placeholder="checkout"
        maxLength={limits.projectNameLengthMax}
        autoComplete="off"
        value={draft.name}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <Field
        label="Description"
        name="description"
        maxLength={limits.projectDescriptionLengthMax}
        autoComplete="off"
        render={<textarea rows={3} />}
        className="h-auto! py-2"
        value={draft.description}
        onChange={(event) => onChange({ description: event.target.value })}
      />
      <Field
        label="Tags"
        name="tags"
        placeholder="payments, go"
        hint="Separated by commas."
        autoComplete="off"
        value={draft.tags}
        onChange={(event) => onChange({ tags: event.target.value })}
      />
      {hasStatus && (
        <div className="flex flex-col gap-1.5">
          <span aria-hidden className="font-medium text-body">
            Status
          </span>
          <Select
            label="Status"
            value={draft.status}
            options={statusOptions}
            onChange={(status) => onChange({ status })}
          />
        </div>
      )}
    </>
  );
}
