import { FolderKanban } from "lucide-react";
import { Message } from "#ui/content/message.tsx";
import { Button } from "#ui/controls/button.tsx";

interface NoProjectsProps {
  readonly term: string;
  /** Absent for people with read access only. */
  readonly onCreate?: () => void;
}

export function NoProjects({ term, onCreate }: NoProjectsProps) {
  if (term !== "") {
    return (
      <Message icon={FolderKanban} title="No projects found">
        <p>No projects match "{term}". Try adjusting your search.</p>
      </Message>
    );
  }
  return (
    <Message
      icon={FolderKanban}
      title="No projects found"
      actions={onCreate && <Button onClick={onCreate}>Create Your First Project</Button>}
    >
      {onCreate ? (
        <p>Get started by creating your first project.</p>
      ) : (
        <p>Projects appear here when services send profiles or a member creates one.</p>
      )}
    </Message>
  );
}
