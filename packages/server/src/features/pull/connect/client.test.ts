import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readConfig } from "#config";
import { bytes, startPprofServer } from "#pull/testing/pprof-server.ts";
import { Client } from "./client.ts";
import { openReach } from "./reach.ts";

const openssl = "openssl";
const hasOpenssl = spawnSync(openssl, ["version"]).status === 0;

it.skipIf(!hasOpenssl)("https needs a certificate that is trusted, or the CA of the target", async () => {
  const folder = mkdtempSync(join(tmpdir(), "flamekeep-"));
  const [keyFile, certFile] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"];
  const made = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-keyout", keyFile, "-out", certFile];
  execFileSync(openssl, ["req", "-x509", "-nodes", "-days", "1", ...made, ...subject], { stdio: "ignore" });
  const [key, cert] = [readFileSync(keyFile, "utf8"), readFileSync(certFile, "utf8")];
  rmSync(folder, { recursive: true });
  const server = createServer({ key, cert }, (_request, response) => response.end("profile")).listen(
    0,
    "127.0.0.1",
  );
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const reach = openReach(readConfig({ PULL_PRIVATE_ADDRESSES: "on" }).pull);
  const got = async (ca: string, skips: boolean, scheme = "https") => {
    const client = new Client({ reach, headers: {}, tls: { ca, skip_verification: skips } });
    const get = { timeoutMs: 5000, bytesMax: 100, tooLarge: "", stopped: new AbortController().signal };
    try {
      return (await client.get(`${scheme}://127.0.0.1:${port}/`, get)).body.toString();
    } catch (error) {
      return (error as Error).message;
    } finally {
      client.close();
    }
  };
  expect(await got("", false)).toBe(
    `127.0.0.1:${port} has a certificate that this server does not trust. Add its CA to the target.`,
  );
  expect(await got(cert, false)).toBe("profile");
  expect(await got("", true)).toBe("profile");
  expect(await got("", false, "http")).toMatch(
    /Check whether it restarted, and whether it expects https|HTTP/,
  );
  server.closeAllConnections();
  await once(server.close(), "close");
});

it("keeps the beginning of a body where no more is asked for, and counts the rest", async () => {
  const pprof = await startPprofServer({ "/": bytes(Buffer.alloc(5_000_000, "x")) });
  const reach = openReach(readConfig({ PULL_PRIVATE_ADDRESSES: "on" }).pull);
  const client = new Client({ reach, headers: {}, tls: { ca: "", skip_verification: false } });
  const { signal: stopped } = new AbortController();
  const limits = { timeoutMs: 20_000, bytesMax: 6_000_000, keptBytesMax: 2048, tooLarge: "", stopped };
  const got = await client.get(`http://${pprof.place}/`, limits);
  expect([got.bytes, got.body.length]).toEqual([5_000_000, 2048]);
  // Not a view of a large buffer.
  expect(got.body.buffer.byteLength).toBeLessThan(1_000_000);
  client.close();
  await pprof.close();
});
