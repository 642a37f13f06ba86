import type { Project } from "@flamekeep/contract";
import { useRouter } from "@tanstack/react-router";
import { Share2 } from "lucide-react";
import { Button } from "#ui/controls/button.tsx";
import { copyAndReport } from "#ui/overlays/copy-and-report.ts";
import { serviceOf } from "./model.ts";

/** Copies the URL of the project's details, without the range of this page: it names the project, not what it did. */
export function ShareButton({ project }: { readonly project: Project }) {
  const router = useRouter();

  async function share() {
    const { publicHref } = router.buildLocation({
      to: "/projects/$projectId",
      params: { projectId: serviceOf(project) },
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
