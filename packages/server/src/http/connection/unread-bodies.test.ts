import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { startApp, type TestApp, testPassword } from "#testing/start-app.ts";

let server: TestApp;
let port: number;
beforeAll(async () => {
  server = await startApp();
  await server.app.listen({ host: "127.0.0.1", port: 0 });
  ({ port } = server.app.server.address() as AddressInfo);
});
afterAll(() => server.close());

const path = "/api/v1/ingest/profiles?service=unread";
const bodyBytes = 20_000_000;

function head(headers: string, method = "POST"): string {
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n\r\n`;
}

/** Everything that comes back until the connection is closed. Throws if it is reset. */
async function replyTo(...sent: readonly (string | Buffer)[]): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk.toString();
  });
  for (const part of sent) socket.write(part);
  // A sender that waits for the end, as most do, closes then.
  socket.once("end", () => socket.end());
  await once(socket, "close");
  return text;
}

const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);

it("answers a refused upload whose body does not come once, and closes the connection", async () => {
  const reply = await replyTo(head(`Content-Length: ${bodyBytes}`), "the begin");
  expect(statuses(reply)).toEqual(["401"]);
  expect(reply.toLowerCase()).toContain("connection: close");
}, 20_000);

it("lets a sender that is still writing read the reply, and serves no request behind the body", async () => {
  const person = await server.signUp();
  const { headers } = await server.makeKey(person);
  const key = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const chunk = Buffer.from(`${(64_000).toString(16)}\r\n${"x".repeat(64_000)}\r\n`);
  const chunks = Array.from({ length: bodyBytes / 64_000 }, () => chunk);
  const payload = JSON.stringify({ email: "behind@example.com", password: testPassword });
  const behind = `POST /auth/register HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${payload.length}\r\n\r\n${payload}`;
  const refused = await replyTo(head("Transfer-Encoding: chunked"), ...chunks, `0\r\n\r\n${behind}`);
  expect(statuses(refused)).toEqual(["401"]);
  const tooLarge = Array.from({ length: 40 }, () => Buffer.alloc(1_000_000));
  const large = await replyTo(head(`${key.join("")}Content-Length: 40000000`), ...tooLarge, behind);
  expect(statuses(large)).toEqual(["413"]);
  expect(
    await server.rows.selectFrom("users").selectAll().where("emailKey", "=", "behind@example.com").execute(),
  ).toEqual([]);
}, 20_000);

it("keeps the connection of a refused request whose body has come", async () => {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk.toString();
  });
  for (const replies of [1, 2]) {
    socket.write(`${head("Content-Length: 8")}complete`);
    await vi.waitUntil(() => statuses(text).length === replies, { timeout: 10_000 });
  }
  socket.destroy();
  expect(statuses(text)).toEqual(["401", "401"]);
}, 20_000);
