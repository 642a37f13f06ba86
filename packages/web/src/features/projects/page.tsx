import { Link } from "@tanstack/react-router";
import { FolderKanban } from "lucide-react";
import { Breadcrumb } from "#ui/breadcrumb.tsx";
import { buttonClass } from "#ui/button.tsx";
import { Card } from "#ui/card.tsx";
import { Message } from "#ui/message.tsx";

export function ProjectsPage() {
  return (
    <>
      <Breadcrumb>
        <Link to="/dashboard">Dashboard</Link>
        <span className="text-text">Projects</span>
      </Breadcrumb>
      <Card className="mt-4">
        <Message
          icon={FolderKanban}
          title="No projects found"
          actions={
            <Link to="/profiles" className={buttonClass()}>
              Open services
            </Link>
          }
        >
          <p>Projects are not part of this version yet. Everything your services send is under Profiles.</p>
        </Message>
      </Card>
    </>
  );
}
