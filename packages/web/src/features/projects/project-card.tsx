import type { Project, ProjectStatus, ServiceTrend } from "@flamekeep/contract";
import { Link, useRouter } from "@tanstack/react-router";
import { Pencil, Share2, Trash2 } from "lucide-react";
import { useIsLoadingDemo } from "#api/status-query.ts";
import { plural } from "#format/number.ts";
import { statusLabels } from "#groups/draft.ts";
import { CpuTrend, type TrendState } from "#profile-list/cpu-trend.tsx";
import { Badge } from "#ui/content/badge.tsx";
import { HealthMark } from "#ui/content/health.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { Button, buttonClass } from "#ui/controls/button.tsx";
import { copyAndReport } from "#ui/overlays/copy-and-report.ts";
import { addressOf } from "./model.ts";

// Green is the colour of health, which is apart from it.
const statusTones = { active: "neutral", inactive: "warning", archived: "neutral" } as const satisfies Record<
  ProjectStatus,
  string
>;
const shownTags = 3;

interface ProjectCardProps {
  readonly project: Project;
  /** Health and CPU of its service, or services; undefined without any. */
  readonly trend: ServiceTrend | undefined;
  readonly trends: TrendState;
  readonly onEdit?: (project: Project) => void;
  readonly onDelete?: (project: Project) => void;
}

export function ProjectCard({ project, trend, trends, onEdit, onDelete }: ProjectCardProps) {
  const isLoading = useIsLoadingDemo();
  const details = {
    to: "/projects/$projectId",
    params: { projectId: addressOf(project) },
  } as const;
  return (
    <article className="group flex min-w-0 flex-col rounded-card border border-line bg-surface transition-colors duration-150 hover:border-line-strong">
      <div className="flex min-h-8 items-center gap-2 px-4 pt-3.5">
        <h2 className="min-w-0 font-semibold text-card tracking-tight" title={project.name}>
          <Link {...details} className="block truncate hover:text-accent-text hover:underline">
            {project.name}
          </Link>
        </h2>
        <Badge tone={statusTones[project.status]}>{statusLabels[project.status]}</Badge>
        {onEdit && onDelete && <ProjectActions project={project} onEdit={onEdit} onDelete={onDelete} />}
      </div>
      <p className="mt-0.5 min-h-5 truncate px-4 text-muted" title={project.description}>
        {project.description}
      </p>
      <Tags tags={project.tags} />
      <div className="mt-auto flex h-11 items-end gap-4 px-4 pt-2">
        <CpuTrend name={project.name} state={trends} trend={trend} />
      </div>
      <div className="flex items-start justify-between gap-3 px-4 pt-2 pb-3">
        <p className="min-w-0 text-label text-muted">
          <Stored project={project} /> ·{" "}
          <span className="whitespace-nowrap">
            Last activity <RelativeTime at={project.last_activity} />
          </span>
        </p>
        {trends === "read" && project.profile_count > 0 && (
          <HealthMark
            health={trend?.health ?? "healthy"}
            silentSince={trend?.silent_since}
            isLoading={isLoading}
          />
        )}
      </div>
      <div className="flex items-center justify-between gap-2 border-line border-t px-4 py-2.5">
        <ShareButton project={project} />
        <Link {...details} className={buttonClass("secondary", "sm")}>
          View Details
        </Link>
      </div>
    </article>
  );
}

/** The services of a group, and the stored profiles. */
function Stored({ project: { services, profile_count: profiles } }: { readonly project: Project }) {
  if (services.length === 0) return `${plural(profiles, "profile")} stored`;
  return (
    <span title={services.join("\n")}>
      {plural(services.length, "service")} · {plural(profiles, "profile")}
    </span>
  );
}

function Tags({ tags }: { readonly tags: readonly string[] }) {
  if (tags.length === 0) return null;
  const hidden = tags.slice(shownTags);
  return (
    <ul aria-label="Tags" className="mt-3 flex min-w-0 items-center gap-1 overflow-hidden px-4">
      {tags.slice(0, shownTags).map((tag) => (
        <li key={tag} className="flex min-w-0">
          <Badge className="min-w-0 max-w-32" title={tag}>
            <span className="truncate">{tag}</span>
          </Badge>
        </li>
      ))}
      {hidden.length > 0 && (
        <li className="shrink-0 text-label text-muted" title={hidden.join("\n")}>
          +{hidden.length} more
        </li>
      )}
    </ul>
  );
}

interface ProjectActionsProps {
  readonly project: Project;
  readonly onEdit: (project: Project) => void;
  readonly onDelete: (project: Project) => void;
}

const iconClass =
  "grid size-7 place-items-center rounded-control text-muted transition-colors duration-150 hover:bg-surface-2 pointer-coarse:size-9";

/** Visible while the card is hovered or focused, and always on touch screens. */
function ProjectActions({ project, onEdit, onDelete }: ProjectActionsProps) {
  return (
    <span className="-mr-1.5 ml-auto flex shrink-0 opacity-0 transition-opacity duration-150 group-focus-within:opacity-100 group-hover:opacity-100 [@media(hover:none)]:opacity-100">
      <button
        type="button"
        aria-label={`Edit ${project.name}`}
        title="Edit"
        onClick={() => onEdit(project)}
        className={`${iconClass} hover:text-text`}
      >
        <Pencil aria-hidden className="size-4" strokeWidth={1.75} />
      </button>
      <button
        type="button"
        aria-label={`Delete ${project.name}`}
        title="Delete"
        onClick={() => onDelete(project)}
        className={`${iconClass} hover:text-critical-text`}
      >
        <Trash2 aria-hidden className="size-4" strokeWidth={1.75} />
      </button>
    </span>
  );
}

/** Copies the URL of the project's details, without the range of this page: it names the project, not what it did. */
function ShareButton({ project }: { readonly project: Project }) {
  const router = useRouter();

  async function share() {
    const { publicHref } = router.buildLocation({
      to: "/projects/$projectId",
      params: { projectId: addressOf(project) },
    });
    await copyAndReport(
      new URL(publicHref.split("?")[0]!, window.location.origin).href,
      "Project URL copied to clipboard!",
    );
  }

  return (
    <Button
      size="sm"
      variant="ghost"
      className="-ml-2.5"
      aria-label={`Share ${project.name}`}
      onClick={() => void share()}
    >
      <Share2 aria-hidden className="size-3.5" strokeWidth={1.75} />
      Share
    </Button>
  );
}

export const projectStatsClass = "mb-8 grid grid-cols-2 gap-4 lg:grid-cols-4";
const projectGridClass = "grid grid-cols-[repeat(auto-fill,minmax(min(320px,100%),1fr))] gap-4";
export const projectCardMinWidthPx = 320;
/** Every card of a list has it, so that a list of thousands knows its length. On touch screens the button is taller. */
export function projectCardHeightPx(hasTags: boolean): number {
  return hasTags ? 240 : 208;
}

/** As wide as its longest text, so that the search box keeps its width. */
export const projectCountClass = "min-w-28 text-label text-muted sm:text-right";

export function ProjectsSkeleton() {
  return (
    <div>
      <div className={projectStatsClass}>
        {["a", "b", "c", "d"].map((key) => (
          <Skeleton key={key} className="h-[6.25rem] rounded-card! sm:h-[6.875rem]" />
        ))}
      </div>
      <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Skeleton className="h-9 flex-1 rounded-control! max-sm:basis-full" />
        <span role="status" aria-label="Loading services..." className={projectCountClass}>
          Loading services...
        </span>
      </div>
      <div className={projectGridClass}>
        {["a", "b", "c", "d", "e", "f"].map((key) => (
          <Skeleton key={key} className="h-52 rounded-card!" />
        ))}
      </div>
    </div>
  );
}
