import type { Project } from "@flamekeep/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { serverText } from "#api/reply.ts";
import { Button } from "#ui/controls/button.tsx";
import { Dialog } from "#ui/overlays/dialog.tsx";
import { showToast } from "#ui/overlays/toast.tsx";
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
    <Dialog
      isOpen
      onOpenChange={(open) => !open && onClose()}
      title={`Delete ${project.name}?`}
      description={
        project.is_derived
          ? `Stored profiles remain under Profiles. It does not return when ${project.id} sends more; create a project named ${project.id} to bring it back.`
          : "Stored profiles remain under Profiles; a service of this name is listed by itself again."
      }
    >
      {deletion.isError && (
        <p role="alert" className="mb-4 text-critical-text">
          {serverText(deletion.error, "Failed to delete project")}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button variant="ghost" onClick={onClose}>
          Cancel
        </Button>
        <Button variant="danger" disabled={deletion.isPending} onClick={() => deletion.mutate()}>
          Delete project
        </Button>
      </div>
    </Dialog>
  );
}
