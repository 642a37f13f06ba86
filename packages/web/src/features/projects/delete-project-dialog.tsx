import type { Project } from "@flamekeep/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { serverText } from "#api/reply.ts";
import { ConfirmDialog } from "#ui/overlays/confirm-dialog.tsx";
import { showToast } from "#ui/overlays/toast.ts";
import { removeProject } from "./queries.ts";

interface DeleteProjectDialogProps {
  readonly project: Project;
  readonly onClose: () => void;
}

export function DeleteProjectDialog({ project, onClose }: DeleteProjectDialogProps) {
  const client = useQueryClient();
  const deletion = useMutation({
    mutationFn: () => removeProject(project),
    onSuccess: async () => {
      showToast(`${project.name} is deleted`);
      onClose();
      await client.invalidateQueries({ queryKey: ["projects"] });
    },
  });
  return (
    <ConfirmDialog
      title={`Delete ${project.name}?`}
      description={
        project.is_derived
          ? `Stored profiles remain under Profiles. It does not return when ${project.id} sends more; create a project named ${project.id} to bring it back.`
          : "Stored profiles remain under Profiles; a service of this name is listed by itself again."
      }
      action="Delete project"
      isPending={deletion.isPending}
      failure={deletion.error ? serverText(deletion.error, "Failed to delete project") : undefined}
      onConfirm={() => deletion.mutate()}
      onClose={onClose}
    />
  );
}
