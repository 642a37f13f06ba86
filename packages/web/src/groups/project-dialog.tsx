import { createProject, limits, listProjects, type Project, updateProject } from "@flamekeep/contract";
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
    onSent: ({ name, outcome }) => finish(`${name} ${outcome}`, { queryKey: projectsKey }),
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

/** Creates a project, or updates the changed fields of the given one. A service's own project gets what a new one of its name would have. */
async function saveProject(project: Project | undefined, draft: ProjectDraft) {
  if (project !== undefined) return { name: await nameOfUpdated(project, draft), outcome: "is updated" };
  const { description, tags, services } = draft;
  const name = draft.name.trim();
  const existing = services.length === 0 ? await projectOfService(name) : undefined;
  if (existing !== undefined) {
    const own = draftOf(existing);
    const change = { ...own, description: description || own.description, tags: tags || own.tags };
    return {
      name: await nameOfUpdated(existing, change),
      outcome: "exists already, as the project of its service",
    };
  }
  const body = { name, description: description.trim(), tags: tagsOf(tags), services: [...services] };
  const created = await call(createProject, { body });
  return { name: created.project.name, outcome: "is created" };
}

async function nameOfUpdated(project: Project, draft: ProjectDraft): Promise<string> {
  const body = changeOf(project, draft);
  if (Object.keys(body).length === 0) return project.name;
  return (await call(updateProject, { params: { id: project.id }, body })).project.name;
}

/** The project that a service of this name has without being created. */
async function projectOfService(name: string): Promise<Project | undefined> {
  // The whole name comes first.
  const { projects } = await call(listProjects, { query: { q: name, order: "name", limit: 10 } });
  return projects.find((each) => each.is_derived && each.id === name && each.name === name);
}
