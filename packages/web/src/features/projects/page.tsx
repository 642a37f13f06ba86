import { deleteProject, type Project } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { call } from "#api/call.ts";
import { ProjectDialog } from "#groups/project-dialog.tsx";
import { projectsKey, projectsQuery } from "#groups/queries.ts";
import { ReadOnlyNote } from "#layout/read-only-note.tsx";
import { useMayChange } from "#session/session.ts";
import { Breadcrumb } from "#ui/content/breadcrumb.tsx";
import { Card } from "#ui/content/card.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { Button, buttonClass } from "#ui/controls/button.tsx";
import { ConfirmDialog } from "#ui/overlays/confirm-dialog.tsx";
import type { Closable } from "#ui/overlays/dialog.tsx";
import { NoProjects, ProjectBrowser } from "./project-browser.tsx";
import { ProjectsSkeleton } from "./project-card.tsx";

type Step =
  | { readonly kind: "list" }
  | { readonly kind: "create" }
  | { readonly kind: "edit"; readonly project: Project }
  | { readonly kind: "delete"; readonly project: Project };

export function ProjectsPage() {
  const { q, after } = useSearch({ from: "/protected/projects" });
  const query = useQuery(projectsQuery(q, after));
  const mayChange = useMayChange();
  const [step, setStep] = useState<Step>({ kind: "list" });
  const close = () => setStep({ kind: "list" });
  const create = () => setStep({ kind: "create" });

  return (
    <>
      <div className="mb-4 flex min-h-9 flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <Breadcrumb>
          <Link to="/dashboard">Dashboard</Link>
          <span className="text-text">Projects</span>
        </Breadcrumb>
        <div className="flex flex-wrap items-center gap-2">
          <Link to="/compare/services" className={buttonClass("ghost")}>
            Compare services
          </Link>
          {mayChange ? (
            <Button variant="primary" onClick={create}>
              <Plus aria-hidden className="size-4" strokeWidth={2} />
              New Project
            </Button>
          ) : (
            <ReadOnlyNote />
          )}
        </div>
      </div>
      <Panel
        query={query}
        loading={<ProjectsSkeleton />}
        errorTitle="Failed to load projects"
        empty={({ totals }) =>
          totals.projects === 0 ? (
            <Card>
              <NoProjects term="" {...(mayChange && { onCreate: create })} />
            </Card>
          ) : null
        }
      >
        {(reply) => (
          <ProjectBrowser
            reply={reply}
            {...(mayChange && {
              onEdit: (project: Project) => setStep({ kind: "edit", project }),
              onDelete: (project: Project) => setStep({ kind: "delete", project }),
            })}
          />
        )}
      </Panel>
      {step.kind === "create" && <ProjectDialog project={undefined} onClose={close} />}
      {step.kind === "edit" && <ProjectDialog project={step.project} onClose={close} />}
      {step.kind === "delete" && <DeleteProjectDialog project={step.project} onClose={close} />}
    </>
  );
}

export function DeleteProjectDialog({ project, onClose }: Closable & { readonly project: Project }) {
  return (
    <ConfirmDialog
      title={`Delete ${project.name}?`}
      description={
        project.is_derived
          ? `Stored profiles stay under Profiles. New uploads of ${project.id} do not restore the project: to do that, create a project named ${project.id}.`
          : project.services.length > 0
            ? "Its services and their profiles stay."
            : "Stored profiles stay under Profiles. A service with this name is listed as its own project again."
      }
      action="Delete project"
      failure="Failed to delete project"
      send={() => call(deleteProject, { params: { id: project.id } })}
      done={() => `${project.name} is deleted`}
      stale={[{ queryKey: projectsKey }]}
      onClose={onClose}
    />
  );
}
