import type { listProjects, Project, ReplyOf } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { FolderKanban } from "lucide-react";
import { useMemo } from "react";
import { countMeasure, exactCount, plural } from "#format/number.ts";
import { trendStateOf } from "#profile-list/cpu-trend.tsx";
import { trendsQuery } from "#profile-list/queries.ts";
import { useTimeRange } from "#time-range/use-time-range.ts";
import { Card } from "#ui/content/card.tsx";
import { ListPages } from "#ui/content/list-pages.tsx";
import { Message } from "#ui/content/message.tsx";
import { Stat } from "#ui/content/stat.tsx";
import { VirtualGrid } from "#ui/content/virtual-grid.tsx";
import { Button } from "#ui/controls/button.tsx";
import { SearchInput } from "#ui/controls/input.tsx";
import { cx } from "#ui/cx.ts";
import { useSearchText } from "#ui/hooks/search-text.ts";
import { servicesOf, trendOf } from "./model.ts";
import {
  ProjectCard,
  projectCardHeightPx,
  projectCardMinWidthPx,
  projectCountClass,
  projectStatsClass,
} from "./project-card.tsx";

type Reply = ReplyOf<typeof listProjects>;

interface ProjectBrowserProps {
  readonly reply: Reply;
  /** Absent for people with read access only. */
  readonly onEdit?: (project: Project) => void;
  readonly onDelete?: (project: Project) => void;
}

/** Totals, search and a page of cards. The search is kept in the URL. */
export function ProjectBrowser({ reply, ...actions }: ProjectBrowserProps) {
  const { projects, total, totals, next_cursor: nextPage } = reply;
  const { q = "", after } = useSearch({ from: "/protected/projects" });
  const navigate = useNavigate({ from: "/projects" });
  const [text, search] = useSearchText(q, (next) => {
    void navigate({ search: { q: next }, replace: true, resetScroll: false });
  });
  const turn = (to: string | undefined) => void navigate({ search: (before) => ({ ...before, after: to }) });
  const trends = useQuery(trendsQuery(useTimeRange().query, projects.flatMap(servicesOf)));
  const trendsByName = useMemo(
    () => new Map(trends.data?.services.map((trend) => [trend.name, trend])),
    [trends.data],
  );

  return (
    <>
      <Totals reply={reply} />
      <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <SearchInput
          label="Search projects"
          placeholder="Search by name, description, or tags..."
          value={text}
          onChange={search}
        />
        <span role="status" className={projectCountClass}>
          {q === ""
            ? plural(totals.projects, "project")
            : `${exactCount(total)} of ${exactCount(totals.projects)}`}
        </span>
      </div>
      {projects.length === 0 ? (
        <Card>
          <NoProjects term={q} />
        </Card>
      ) : (
        <VirtualGrid
          label="Projects"
          items={projects}
          keyOf={({ id }) => id}
          heightPx={projectCardHeightPx(projects.some(({ tags }) => tags.length > 0))}
          minWidthPx={projectCardMinWidthPx}
        >
          {(project) => {
            const trend = trendOf(project, trendsByName);
            return <ProjectCard {...{ project, trend }} trends={trendStateOf(trend, trends)} {...actions} />;
          }}
        </VirtualGrid>
      )}
      <ListPages
        detail={`${exactCount(projects.length)} of ${plural(total, "project")}`}
        onFirst={after === undefined ? undefined : () => turn(undefined)}
        onNext={nextPage === null ? undefined : () => turn(nextPage)}
      />
    </>
  );
}

function Totals({ reply: { totals, team_members: teamMembers } }: { readonly reply: Reply }) {
  return (
    <dl className={cx(projectStatsClass, teamMembers === 0 && "grid-cols-3! max-sm:gap-2")}>
      <Stat label="Total Projects" value={countMeasure(totals.projects)} />
      <Stat label="Active" value={countMeasure(totals.active)} />
      <Stat label="Total Profiles" value={countMeasure(totals.profiles)} detail="stored" />
      {teamMembers > 0 && <Stat label="Team Members" value={countMeasure(teamMembers)} />}
    </dl>
  );
}

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
