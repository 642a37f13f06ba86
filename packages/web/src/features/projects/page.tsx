import type { Project } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { ReadOnlyNote } from "#layout/read-only-note.tsx";
import { useMayChange } from "#session/session.ts";
import { Breadcrumb } from "#ui/content/breadcrumb.tsx";
import { Card } from "#ui/content/card.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { Button } from "#ui/controls/button.tsx";
import { NoProjects } from "./no-projects.tsx";
import { ProjectBrowser } from "./project-browser.tsx";
import { DeleteProjectDialog, ProjectDialog } from "./project-dialog.tsx";
import { ProjectsSkeleton } from "./projects-skeleton.tsx";
import { projectsQuery } from "./queries.ts";

type Step =
  | { readonly kind: "list" }
  | { readonly kind: "create" }
  | { readonly kind: "edit"; readonly project: Project }
  | { readonly kind: "delete"; readonly project: Project };

export function ProjectsPage() {
  const query = useQuery(projectsQuery);
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
        {mayChange ? (
          <Button variant="primary" onClick={create}>
            <Plus aria-hidden className="size-4" strokeWidth={2} />
            New Project
          </Button>
        ) : (
          <ReadOnlyNote />
        )}
      </div>
      <Panel
        query={query}
        loading={<ProjectsSkeleton />}
        errorTitle="Failed to load projects"
        empty={({ projects }) =>
          projects.length === 0 ? (
            <Card>
              <NoProjects term="" {...(mayChange && { onCreate: create })} />
            </Card>
          ) : null
        }
      >
        {({ projects, team_members: teamMembers }) => (
          <ProjectBrowser
            projects={projects}
            teamMembers={teamMembers}
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
