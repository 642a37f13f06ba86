import { expect, it } from "vitest";
import { startApp, type TestApp } from "#testing/start-app.ts";

async function readyAfter(server: TestApp, remoteAddress: string, forwarded?: string) {
  const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
  await server.app.inject({ url: "/healthz", remoteAddress, headers });
  return (await server.app.inject("/readyz")).json();
}

const warnings = (server: TestApp) => server.logged.filter((line) => line.includes("TRUSTED_PROXIES"));

it("warns once for each untrusted proxy, in the log and for operators", async () => {
  const server = await startApp();
  try {
    const before = await readyAfter(server, "10.0.0.9");
    expect(JSON.stringify(before)).not.toContain("proxy");
    const after = await readyAfter(server, "10.0.0.9", "203.0.113.5");
    expect(after.status).toBe("ready");
    expect(after.checks.every(({ ok }: { ok: boolean }) => ok)).toBe(true);
    expect(after).toMatchObject({ health: "degraded", warnings: [{ name: "reverse proxy is not trusted" }] });
    expect(after.checks.map(({ name }: { name: string }) => name)).not.toContain("reverse proxy");
    expect(after.warnings[0].message).toMatch(
      /^X-Forwarded-For came from 10\.0\.0\.9, which TRUSTED_PROXIES does not list: /,
    );
    expect(after.warnings[0].action).toContain("set TRUSTED_PROXIES=10.0.0.9 and");
    await readyAfter(server, "10.0.0.9", "203.0.113.5");
    expect(warnings(server)).toHaveLength(1);
    expect(JSON.stringify(await readyAfter(server, "::ffff:10.0.0.10", "203.0.113.5"))).toContain(
      "came from 10.0.0.9, ::ffff:10.0.0.10, which",
    );
    expect(warnings(server)).toHaveLength(2);
  } finally {
    await server.close();
  }
});

it("stops warning an hour after the last such request", async () => {
  const server = await startApp({ at: "2026-11-22T12:00:00Z" });
  try {
    await readyAfter(server, "10.0.0.9", "203.0.113.5");
    server.clock.advance(50 * 60_000);
    expect((await readyAfter(server, "10.0.0.9", "203.0.113.5")).warnings).toHaveLength(1);
    server.clock.advance(59 * 60_000);
    expect((await readyAfter(server, "10.0.0.9")).warnings).toHaveLength(1);
    server.clock.advance(2 * 60_000);
    expect(await readyAfter(server, "10.0.0.9")).toMatchObject({ health: "operational", warnings: [] });
  } finally {
    await server.close();
  }
});

it("does not advise to trust a public address, and still detects a proxy afterwards", async () => {
  const server = await startApp();
  try {
    for (const peer of ["198.51.100.7", "2001:db8::7", "198.51.100.8"]) {
      expect(JSON.stringify(await readyAfter(server, peer, "203.0.113.5"))).not.toContain("reverse proxy");
    }
    expect(warnings(server)).toHaveLength(1);
    expect(warnings(server)[0]).toContain("came from a public address and was ignored");
    const check = JSON.stringify(await readyAfter(server, "172.17.0.1", "203.0.113.5"));
    expect(check).toContain("X-Forwarded-For came from 172.17.0.1, which");
    for (let host = 1; host < 40; host++) await readyAfter(server, `10.0.0.${host}`, "203.0.113.5");
    expect(warnings(server)).toHaveLength(9);
  } finally {
    await server.close();
  }
});

it("does not warn about proxies that TRUSTED_PROXIES names", async () => {
  const server = await startApp({ env: { TRUSTED_PROXIES: "10.0.0.0/24, 2001:db8::/32, 192.0.2.7" } });
  try {
    for (const peer of ["10.0.0.9", "2001:db8::9", "192.0.2.7", "::ffff:10.0.0.8"]) {
      expect(JSON.stringify(await readyAfter(server, peer, "203.0.113.5"))).not.toContain("reverse proxy");
    }
    expect(warnings(server)).toEqual([]);
    expect(JSON.stringify(await readyAfter(server, "10.0.1.9", "203.0.113.5"))).toContain("10.0.1.9");
  } finally {
    await server.close();
  }
});
