import { type ProjectStatus, projectStatuses } from "@flamekeep/contract";

export const statusLabels: Record<ProjectStatus, string> = {
  active: "Active",
  inactive: "Inactive",
  archived: "Archived",
};

export const statusOptions = projectStatuses.map((value) => ({ value, label: statusLabels[value] }));
