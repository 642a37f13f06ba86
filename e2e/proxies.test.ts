import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:http2";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { codeOf } from "./harness/guide-code.ts";
import { recordedCpuProfile } from "./harness/recordings.ts";
import { type Flamekeep, freePort, startFlamekeep } from "./harness/start-flamekeep.ts";

const nginx = [
  "/usr/sbin/nginx",
  ...(process.env.PATH ?? "").split(":").map((folder) => join(folder, "nginx")),
].find((path) => existsSync(path));
const host = "profiles.example.com";
const metricsToken = "a secret of this test";

describe.skipIf(nginx === undefined)("the configuration of nginx", () => {
  let folder: string;
  let flamekeep: Flamekeep;
  let stopProxy: (() => Promise<unknown>) | undefined;
  let port: number;
  let plainPort: number;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "flamekeep-nginx-"));
    // The workers of nginx, which keep bodies in files, have another user than root.
    chmodSync(folder, 0o755);
    const names = ["-subj", `/CN=${host}`, "-addext", `subjectAltName=DNS:${host}`];
    const files = ["-keyout", join(folder, "key.pem"), "-out", join(folder, "cert.pem")];
    execFileSync(
      "openssl",
      ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...names, ...files],
      { stdio: "ignore" },
    );
    const grpcPort = String(await freePort());
    flamekeep = await startFlamekeep({
      env: {
        DEMO: "off",
        PUBLIC_URL: `https://${host}`,
        TRUSTED_PROXIES: "127.0.0.1",
        METRICS_TOKEN: metricsToken,
        GRPC_PORT: grpcPort,
      },
    });
    port = await freePort();
    plainPort = await freePort();
    stopProxy = await startProxy(grpcPort);
  });
  afterAll(async () => {
    await stopProxy?.();
    await flamekeep?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Starts nginx with the first and the last server of the page, on ports and with files of this test. */
  async function startProxy(grpcPort: string): Promise<() => Promise<unknown>> {
    const ownServer = (code: string) =>
      code
        .replaceAll("http://127.0.0.1:4040", flamekeep.url)
        .replaceAll("127.0.0.1:4317", `127.0.0.1:${grpcPort}`);
    const tls = ownServer(codeOf("docs/operate/proxies.md", 0))
      .replace("listen 443", `listen 127.0.0.1:${port}`)
      .replace("/etc/ssl/certs/profiles.pem", join(folder, "cert.pem"))
      .replace("/etc/ssl/private/profiles.key", join(folder, "key.pem"));
    const belowPath = ownServer(codeOf("docs/operate/proxies.md", 4));
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    const file = join(folder, "nginx.conf");
    writeFileSync(
      file,
      `pid ${folder}/pid; error_log ${folder}/log; daemon off; worker_processes 1; events {}
      http { access_log off; ${temporary.join(" ")}
        ${tls}
        server { listen 127.0.0.1:${plainPort}; ${belowPath} }
      }`,
    );
    const proxy = spawn(nginx!, ["-c", file, "-e", `${folder}/log`], { stdio: "ignore" });
    const isServing = () =>
      fetch(`http://127.0.0.1:${plainPort}/flamekeep/healthz`).then(
        ({ ok }) => ok,
        () => false,
      );
    while (!(await isServing())) {
      if (proxy.exitCode !== null) throw new Error(readFileSync(`${folder}/log`, "utf8"));
      await sleep(50);
    }
    return () => {
      const ended = once(proxy, "close");
      proxy.kill("SIGTERM");
      return ended;
    };
  }

  const trusted = () => ({
    host: "127.0.0.1",
    port,
    servername: host,
    ca: readFileSync(join(folder, "cert.pem")),
  });

  function ask(
    method: string,
    path: string,
    { headers = {}, body }: { headers?: Record<string, string>; body?: string | Uint8Array } = {},
  ) {
    return new Promise<{ status: number; text: string }>((resolve, reject) => {
      const sent = request({ ...trusted(), method, path, headers: { host, ...headers } }, async (reply) => {
        resolve({ status: reply.statusCode ?? 0, text: await text(reply) });
      });
      sent.on("error", reject).end(body);
    });
  }

  async function signUp(): Promise<Record<string, string>> {
    const person = {
      email: "grace@example.com",
      password: crypto.randomUUID(),
      first_name: "Grace",
      last_name: "Hopper",
    };
    const json = { "content-type": "application/json", origin: `https://${host}` };
    const registered = await ask("POST", "/auth/register", { headers: json, body: JSON.stringify(person) });
    expect(registered).toMatchObject({ status: 201 });
    const authorization = `Bearer ${JSON.parse(registered.text).tokens.access_token}`;
    const made = await ask("POST", "/api/v1/protected/api-keys", {
      headers: { ...json, authorization },
      body: JSON.stringify({ name: "test" }),
    });
    return { "x-api-key": JSON.parse(made.text).api_key.key };
  }

  test("lets people register and programs send, and says where bodies are too large", async () => {
    const key = await signUp();
    const path = `/api/v1/ingest/profiles?service=checkout&type=cpu&started_at=${Date.now() - 60_000}`;
    expect(await ask("POST", path, { headers: key, body: recordedCpuProfile().body })).toMatchObject({
      status: 200,
    });
    // The server reads 12 MB and finds no profile; nginx does not pass 17 MB on.
    const sizes = [12, 17].map((megabytes) =>
      ask("POST", path, { headers: key, body: Buffer.alloc(megabytes * 2 ** 20, 1) }),
    );
    expect((await Promise.all(sizes)).map(({ status }) => status)).toEqual([400, 413]);
  });

  test("is a proxy that the server trusts", async () => {
    const authorization = `Bearer ${metricsToken}`;
    const ready = await ask("GET", "/readyz", { headers: { authorization } });
    expect(JSON.parse(ready.text)).toMatchObject({ status: "ready", warnings: [] });
    expect(await ask("GET", "/metrics")).toMatchObject({ status: 401 });
    expect(await ask("GET", "/metrics", { headers: { authorization } })).toMatchObject({ status: 200 });
  });

  test("passes gRPC to its port", async () => {
    const session = connect(`https://127.0.0.1:${port}`, trusted());
    const call = session.request({
      ":method": "POST",
      ":path": "/opentelemetry.proto.collector.trace.v1.TraceService/Export",
      "content-type": "application/grpc",
      te: "trailers",
    });
    call.end(Buffer.alloc(5));
    const [headers] = await once(call, "response");
    expect(headers).toMatchObject({ "content-type": "application/grpc", "grpc-status": "16" });
    session.destroy();
  });

  test("adds the slash below a path", async () => {
    const reply = await fetch(`http://127.0.0.1:${plainPort}/flamekeep`, { redirect: "manual" });
    expect([reply.status, reply.headers.get("location")]).toEqual([
      301,
      `http://127.0.0.1:${plainPort}/flamekeep/`,
    ]);
  });
});
