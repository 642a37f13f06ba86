import type { Project } from "@flamekeep/contract";
import { Pencil, Trash2 } from "lucide-react";

interface ProjectActionsProps {
  readonly project: Project;
  readonly onEdit: (project: Project) => void;
  readonly onDelete: (project: Project) => void;
}

const iconClass =
  "grid size-7 place-items-center rounded-control text-muted transition-colors duration-150 hover:bg-surface-2 pointer-coarse:size-9";

/** Visible while the card is hovered or focused, and always on touch screens. */
export function ProjectActions({ project, onEdit, onDelete }: ProjectActionsProps) {
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
