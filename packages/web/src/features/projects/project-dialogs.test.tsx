// @vitest-environment happy-dom
import {
  createProject,
  deleteProject,
  listProjects,
  type Project,
  type ReplyOf,
  updateProject,
} from "@flamekeep/contract";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";
import { ProjectDialog } from "#groups/project-dialog.tsx";
import { FakeServer, failWith, replyWith } from "#testing/fake-server.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { takeToasts } from "#ui/overlays/toast.ts";
import { DeleteProjectDialog } from "./page.tsx";

const checkout: Project = {
  id: "checkout",
  name: "Till",
  description: "Service: checkout",
  status: "active",
  tags: ["payments", "go"],
  services: [],
  member_count: 0,
  profile_count: 1200,
  created_at: "2026-08-22T12:00:00.000Z",
  last_activity: "2026-11-20T12:00:00.000Z",
  is_derived: true,
};

let server: FakeServer;
beforeEach(() => {
  server = new FakeServer();
});
afterEach(cleanup);
afterAll(() => vi.unstubAllGlobals());

const fill = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });

const listed = (...projects: readonly Project[]): ReplyOf<typeof listProjects> => ({
  projects: [...projects],
  next_cursor: null,
  total: projects.length,
  totals: { projects: projects.length, active: projects.length, profiles: 0 },
  team_members: 1,
});

it("creates a project with trimmed texts and its tags as a list", async () => {
  server.on(listProjects, () => replyWith(listProjects, listed(checkout)));
  server.on(createProject, () => replyWith(createProject, { project: checkout }));
  const closed = Promise.withResolvers<void>();
  renderWithQueries(<ProjectDialog project={undefined} onClose={closed.resolve} />);
  await screen.findByRole("dialog", { name: "New Project" });
  fill("Name", " Till ");
  fill("Tags", "payments, go, go");
  fireEvent.click(screen.getByRole("button", { name: "Create" }));
  await closed.promise;
  expect(server.callsOf(createProject).map(({ body }) => body)).toEqual([
    { name: "Till", description: "", tags: ["payments", "go"], services: [] },
  ]);
});

it("adds to the project of a service instead of replacing it, and says that it exists", async () => {
  const own = { ...checkout, name: "checkout" };
  server.on(listProjects, () => replyWith(listProjects, listed(own)));
  server.on(updateProject, () => replyWith(updateProject, { project: own }));
  const create = async (tags: string) => {
    const closed = Promise.withResolvers<void>();
    const toasts: string[] = [];
    const { unmount } = renderWithQueries(<ProjectDialog project={undefined} onClose={closed.resolve} />);
    const stopTaking = takeToasts((toast) => toasts.push(toast.title));
    await screen.findByRole("dialog", { name: "New Project" });
    fill("Name", " checkout");
    fill("Tags", tags);
    fireEvent.click(screen.getByRole("button", { name: "Create" }));
    await closed.promise;
    stopTaking();
    unmount();
    return toasts;
  };
  const said = ["checkout exists already, as the project of its service"];
  expect(await create("")).toEqual(said);
  expect(server.callsOf(updateProject)).toEqual([]);
  expect(await create("web")).toEqual(said);
  expect(server.callsOf(updateProject).map(({ body }) => body)).toEqual([{ tags: ["web"] }]);
  expect(server.callsOf(createProject)).toEqual([]);
});

it("sends only the changed fields of a project, and nothing when nothing changed", async () => {
  server.on(updateProject, () => replyWith(updateProject, { project: { ...checkout, name: "Shop" } }));
  const onClose = vi.fn();
  renderWithQueries(<ProjectDialog project={checkout} onClose={onClose} />);
  await screen.findByRole("dialog", { name: "Edit Project" });
  fireEvent.click(screen.getByRole("button", { name: "Update" }));
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledTimes(1), { timeout: 30_000 });
  expect(server.callsOf(updateProject)).toEqual([]);
  fill("Name", "Shop");
  fireEvent.click(screen.getByRole("button", { name: "Update" }));
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledTimes(2), { timeout: 30_000 });
  expect(server.callsOf(updateProject).map(({ path, body }) => [path.split("/").at(-1), body])).toEqual([
    ["checkout", { name: "Shop" }],
  ]);
});

it("keeps the dialog open with the server's reason when a project cannot be deleted", async () => {
  server.on(deleteProject, () => failWith("forbidden", "Viewers cannot delete projects"));
  const onClose = vi.fn();
  renderWithQueries(<DeleteProjectDialog project={checkout} onClose={onClose} />);
  await screen.findByRole("dialog", { name: "Delete Till?" });
  fireEvent.click(screen.getByRole("button", { name: "Delete project" }));
  expect((await screen.findByRole("alert")).textContent).toBe("Viewers cannot delete projects");
  expect(onClose).not.toHaveBeenCalled();
});
