import { createProject, limits, type Project, type ReplyOf, updateProject } from "@flamekeep/contract";
import { Server } from "lucide-react";
import { call } from "#api/call.ts";
import { importOnce } from "#api/import-page.ts";
import { ChipField } from "#ui/controls/chip-field.tsx";
import { Field } from "#ui/controls/field.tsx";
import { useForm } from "#ui/controls/form-problems.tsx";
import { LabelledSelect } from "#ui/controls/select.tsx";
import type { Closable } from "#ui/overlays/dialog.tsx";
import { FormDialog, useFinish } from "#ui/overlays/form-dialog.tsx";
import { changeOf, draftOf, type ProjectDraft, statusOptions, tagsOf } from "./draft.ts";
import { projectsKey } from "./queries.ts";

const load = importOnce(() => import("./service-combobox.tsx"));
const label = "Services";

interface ServicesFieldProps {
  readonly services: readonly string[];
  readonly onChange: (services: readonly string[]) => void;
}

/** The services of a group, as chips. */
function ServicesField(props: ServicesFieldProps) {
  const { services } = props;
  return (
    <div className="flex flex-col gap-1.5">
      <span aria-hidden className="font-medium text-body">
        {label}
      </span>
      <div className="flex max-h-40 overflow-y-auto">
        <ChipField
          {...{ load, label }}
          icon={Server}
          placeholder="checkout"
          chosen={services}
          isActive={false}
          className="min-w-0"
        >
          {({ ServiceCombobox }, start) => <ServiceCombobox {...props} label={label} start={start} />}
        </ChipField>
      </div>
      <p className="text-label text-muted">
        {services.length < limits.projectServicesMax
          ? "Makes the project a group of these services. Without any, it shows the service of its name."
          : `${limits.projectServicesMax} services. Remove one to add another.`}
      </p>
    </div>
  );
}

interface ProjectDialogProps extends Closable {
  /** Undefined to create a project. */
  readonly project: Project | undefined;
}

export function ProjectDialog({ project, onClose }: ProjectDialogProps) {
  const finish = useFinish(onClose);
  const form = useForm({
    initial: () => draftOf(project),
    send: (draft) => saveProject(project, draft),
    onSent: (reply) =>
      finish(`${reply.project.name} is ${project ? "updated" : "created"}`, { queryKey: projectsKey }),
  });
  const action = project ? "Update" : "Create";
  return (
    <FormDialog
      form={form}
      title={project ? "Edit Project" : "New Project"}
      description={
        project?.is_derived
          ? `It shows the profiles of ${project.id}, even if you rename it.`
          : "Group services, or use the exact name of a service to show its profiles."
      }
      action={action}
      pending={action}
      failure={project ? "Failed to update project" : "Failed to create project"}
      isReady={form.values.name.trim() !== ""}
      onClose={onClose}
    >
      <Field
        label="Name"
        required
        placeholder="checkout"
        maxLength={limits.projectNameLengthMax}
        autoComplete="off"
        {...form.field("name")}
      />
      <Field
        label="Description"
        maxLength={limits.projectDescriptionLengthMax}
        autoComplete="off"
        render={<textarea rows={3} />}
        className="h-auto! py-2"
        {...form.field("description")}
      />
      <Field
        label="Tags"
        placeholder="payments, go"
        autoComplete="off"
        {...form.field("tags", "Separated by commas.")}
      />
      {project?.is_derived !== true && (
        <ServicesField services={form.values.services} onChange={(services) => form.set({ services })} />
      )}
      {/* A new project starts active. */}
      {project && <LabelledSelect label="Status" options={statusOptions} {...form.choice("status")} />}
    </FormDialog>
  );
}

/** Creates a project, or updates the changed fields of the given one. */
async function saveProject(
  project: Project | undefined,
  draft: ProjectDraft,
): Promise<ReplyOf<typeof createProject>> {
  if (project === undefined) {
    const { name, description, tags, services } = draft;
    const texts = { name: name.trim(), description: description.trim() };
    const body = { ...texts, tags: tagsOf(tags), services: [...services] };
    return call(createProject, { body });
  }
  const body = changeOf(project, draft);
  if (Object.keys(body).length === 0) return { project };
  return call(updateProject, { params: { id: project.id }, body });
}
