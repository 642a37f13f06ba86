// @vitest-environment happy-dom
import {
  acknowledgeIncident,
  assignIncident,
  commentIncident,
  type Incident,
  type IncidentComment,
  limits,
  listMembers,
  removeIncidentComment,
} from "@flamekeep/contract";
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";
import { cpuAlert as alert, openedAt } from "#testing/alerts.ts";
import { FakeServer, failWith, replyWith } from "#testing/fake-server.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { signedInId, signInAs } from "#testing/sign-in-as.ts";
import { ToastHost } from "../../app.tsx";
import { Comments } from "./comments.tsx";
import { IncidentPeople } from "./incident-head.tsx";

const at = openedAt;
const { id } = alert;
const incident: Incident = {
  id,
  service: "checkout",
  timestamp: at,
  began_at: at,
  resolved_at: null,
  status: "open",
  severity: "critical",
  signals: [alert],
  comment_count: 1,
};
const acknowledged = { by: "Ada Lovelace", at };
const grace = { user_id: "0f7c3b52-6c1e-4c59-9f0e-3a8d5b1c7e21", name: "Grace Hopper", at };

let server: FakeServer;
beforeEach(() => {
  server = new FakeServer();
  signInAs("member");
});
afterEach(() => {
  cleanup();
  localStorage.clear();
});
afterAll(() => vi.unstubAllGlobals());

function renderPeople(shown: Incident) {
  renderWithQueries(
    <>
      <IncidentPeople incident={shown} />
      <ToastHost />
    </>,
  );
}

it("an incident is acknowledged, and that is taken back", async () => {
  server.on(acknowledgeIncident, () => replyWith(acknowledgeIncident, { incident }));
  renderPeople(incident);
  fireEvent.click(screen.getByRole("button", { name: "Acknowledge the incident of checkout" }));
  await screen.findByText("Incident of checkout acknowledged");
  cleanup();
  renderPeople({ ...incident, acknowledged });
  const button = screen.getByRole("button", {
    name: "Acknowledged: undo for the incident of checkout",
  });
  expect(button.title).toContain("Ada Lovelace");
  fireEvent.click(button);
  await screen.findByText("Incident of checkout is no longer acknowledged");
  const sent = server.callsOf(acknowledgeIncident).map(({ body }) => body);
  expect(sent).toEqual([{ is_acknowledged: true }, { is_acknowledged: false }]);
});

it("an incident that is over cannot be acknowledged, but assigned", () => {
  renderPeople({ ...incident, status: "resolved", resolved_at: at });
  const names = screen.getAllByRole("button").map((button) => button.getAttribute("aria-label"));
  expect(names).toEqual(["Assign the incident of checkout"]);
});

async function openAssignees(name: string) {
  const member = {
    role: "member",
    is_active: true,
    joined_at: at,
    last_login_at: null,
    is_you: false,
    active_api_keys: 0,
  } as const;
  const members = [
    { ...member, id: grace.user_id, name: grace.name, email: "grace@example.com" },
    { ...member, id: signedInId, name: "Ada Lovelace", email: "ada@example.com" },
  ];
  server.on(listMembers, () => replyWith(listMembers, { members }));
  fireEvent.click(screen.getByRole("button", { name }));
  return screen.findByRole("menuitem", { name: "Assign to me" });
}

it("an incident is assigned to me or to another member, who are read when the menu opens", async () => {
  server.on(assignIncident, () => replyWith(assignIncident, { incident: { ...incident, assignee: grace } }));
  renderPeople(incident);
  expect(server.callsOf(listMembers)).toHaveLength(0);
  await openAssignees("Assign the incident of checkout");
  expect(screen.queryByRole("menuitem", { name: "Unassign" })).toBeNull();
  fireEvent.click(await screen.findByRole("menuitem", { name: "Grace Hopper" }));
  await screen.findByText("Incident of checkout is assigned to Grace Hopper");
  cleanup();
  renderPeople(incident);
  fireEvent.click(await openAssignees("Assign the incident of checkout"));
  await waitFor(() => expect(server.callsOf(assignIncident)).toHaveLength(2));
  const sent = server.callsOf(assignIncident).map(({ body }) => body);
  expect(sent).toEqual([{ user_id: grace.user_id }, { user_id: signedInId }]);
});

it("an incident is assigned to nobody, or it is said why not", async () => {
  server.on(assignIncident, () => failWith("unavailable", "The server is stopping."));
  renderPeople({ ...incident, assignee: grace });
  await openAssignees("Assigned to Grace Hopper: reassign the incident of checkout");
  fireEvent.click(screen.getByRole("menuitem", { name: "Unassign" }));
  await screen.findByText("Nothing was changed. The server is stopping.");
  expect(server.callsOf(assignIncident).map(({ body }) => body)).toEqual([{ user_id: null }]);
});

it("viewers see who works on an incident, and have no buttons", () => {
  signInAs("viewer");
  renderPeople({ ...incident, acknowledged, assignee: grace });
  screen.getByText("Ada Lovelace");
  screen.getByText("Grace Hopper");
  expect(screen.queryAllByRole("button")).toEqual([]);
});

const mine: IncidentComment = {
  id: "6a1c9d42-0f5b-4e77-8c3d-b24e9a7f1035",
  by: "Ada Lovelace",
  is_yours: true,
  at,
  text: "Rolled back",
};
const hostile = "<img src=x onerror=alert(1)>\n[link](javascript:alert(1)) https://evil.example";
const theirs = {
  ...mine,
  id: "0b8d2f16-7f0e-4d0c-9a55-2f6f0a3c9d11",
  by: null,
  is_yours: false,
  text: hostile,
};

it("a comment is the text that it is", () => {
  const { container } = renderWithQueries(<Comments incident={incident} comments={[theirs]} />);
  expect(container.querySelector("li")?.textContent).toContain(hostile);
  expect(container.querySelectorAll("li img, li a")).toHaveLength(0);
});

it.each([
  ["viewer", []],
  ["member", ["Remove the comment of Ada Lovelace"]],
  ["admin", ["Remove the comment of A former member", "Remove the comment of Ada Lovelace"]],
] as const)("a %s can remove %j", (role, expected) => {
  signInAs(role);
  renderWithQueries(<Comments incident={incident} comments={[theirs, mine]} />);
  const names = screen
    .queryAllByRole("button", { name: /^Remove/ })
    .map((each) => each.getAttribute("aria-label"));
  expect(names).toEqual(expected);
  expect(screen.queryAllByRole("textbox", { name: "Comment" })).toHaveLength(role === "viewer" ? 0 : 1);
});

it("a comment is removed only after a question, which says why it failed", async () => {
  let isRefused = true;
  server.on(removeIncidentComment, () =>
    isRefused
      ? failWith("forbidden", "Only the author or an admin can remove a comment.")
      : replyWith(removeIncidentComment, { incident, comment: mine }),
  );
  renderWithQueries(<Comments incident={incident} comments={[mine]} />);
  fireEvent.click(screen.getByRole("button", { name: "Remove the comment of Ada Lovelace" }));
  await screen.findByRole("dialog", { name: "Remove the comment?" });
  expect(server.callsOf(removeIncidentComment)).toHaveLength(0);
  fireEvent.click(screen.getByRole("button", { name: "Remove" }));
  await screen.findByText("Only the author or an admin can remove a comment.");
  isRefused = false;
  fireEvent.click(screen.getByRole("button", { name: "Remove" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(server.callsOf(removeIncidentComment)[1]?.path).toMatch(`/incidents/${id}/comments/${mine.id}`);
});

function fieldAndButton() {
  const field = screen.getByRole("textbox", { name: "Comment" }) as HTMLTextAreaElement;
  const button = screen.getByRole("button", { name: "Comment" }) as HTMLButtonElement;
  return { field, button };
}

it("a comment is sent once it has a text, which stays until it is stored", async () => {
  let isRefused = true;
  server.on(commentIncident, () =>
    isRefused
      ? failWith("disk_full", "The disk is full.")
      : replyWith(commentIncident, { incident, comment: mine }),
  );
  renderWithQueries(<Comments incident={incident} comments={[]} />);
  const { field, button } = fieldAndButton();
  expect([button.disabled, field.maxLength]).toEqual([true, limits.incidentCommentLengthMax]);
  fireEvent.change(field, { target: { value: "Rolled back" } });
  fireEvent.click(button);
  await screen.findByText("The disk is full.");
  expect(field.value).toBe("Rolled back");
  isRefused = false;
  fireEvent.click(fieldAndButton().button);
  await waitFor(() => expect(field.value).toBe(""));
  expect(server.callsOf(commentIncident).at(-1)?.body).toEqual({ text: "Rolled back" });
});

it("an incident with as many comments as there can be has no field for one more", () => {
  const full = { ...incident, comment_count: limits.incidentCommentsMax };
  renderWithQueries(<Comments incident={full} comments={[mine]} />);
  screen.getByText(/has reached its limit of 200 comments/);
  expect(screen.queryByRole("textbox")).toBeNull();
});
