import { readFileSync } from "node:fs";
import type { Analysis } from "@flamekeep/contract";
import type { LightMyRequestResponse } from "fastify";
import { createAnalysers } from "#analysis/analysers.ts";
import { modelSource } from "#analysis/model/providers.ts";
import type { AnalyserKind } from "#analysis/queue/claim.ts";
import { runPending } from "#analysis/queue/runner.ts";
import { type Person, type StartOptions, startApp, type TestApp } from "#testing/start-app.ts";

const recorded = new URL("../../../../../../examples/shop/recorded/", import.meta.url);

/** A server with a person and a key, which sends recorded profiles of the example shop and works on its queue on demand. */
export interface AnalysingServer extends TestApp {
  readonly person: Person;
  readonly keyHeaders: Readonly<Record<string, string>>;
  /** Sends a file of the recorded shop and returns its profile id. */
  sendRecorded(file: string, query: Readonly<Record<string, string>>): Promise<string>;
  call(
    method: "GET" | "PATCH" | "POST" | "PUT",
    path: string,
    payload?: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<LightMyRequestResponse>;
  /** Works on everything that is queued. */
  work(kind?: AnalyserKind): Promise<number>;
  /** Starts an analysis of a profile, works on it and returns it. */
  analyse(profileId: string, options?: object): Promise<Analysis>;
}

export async function startAnalyses(options: StartOptions = {}): Promise<AnalysingServer> {
  const server = await startApp(options);
  const person = await server.signUp();
  const keyHeaders = (await server.makeKey(person)).headers;
  const { signal: stopped } = new AbortController();
  const source = modelSource(server.ctx);

  let ownHeaders = person.headers;
  /** Access tokens expire when a test moves the clock. */
  async function signIn(): Promise<void> {
    const payload = { email: person.email, password: person.password };
    const reply = await server.app.inject({ method: "POST", url: "/auth/login", payload });
    ownHeaders = { authorization: `Bearer ${reply.json().tokens.access_token}` };
  }

  const call: AnalysingServer["call"] = async (method, path, payload, headers) => {
    const request = {
      method,
      url: `/api/v1/protected/${path}`,
      ...(payload === undefined ? {} : { payload }),
    };
    const reply = await server.app.inject({ ...request, headers: headers ?? ownHeaders });
    if (reply.statusCode !== 401 || headers !== undefined) return reply;
    await signIn();
    return server.app.inject({ ...request, headers: ownHeaders });
  };
  const work: AnalysingServer["work"] = (kind = "builtin") =>
    runPending(server.ctx, kind, {
      analysers: createAnalysers(server.ctx, source),
      holder: "this test",
      stopped,
    });

  return {
    ...server,
    person,
    keyHeaders,
    call,
    work,
    async sendRecorded(file, query) {
      const profile = readFileSync(new URL(file, recorded));
      return (await server.send(profile, { headers: keyHeaders, query })).profile_id;
    },
    async analyse(profileId, given = {}) {
      const started = await call("POST", `profile/${profileId}/analyze`, given);
      if (started.statusCode !== 200) throw new Error(`starting an analysis failed: ${started.body}`);
      const { id, llm_provider } = started.json();
      await work(llm_provider === "builtin" ? "builtin" : "model");
      return (await call("GET", `analysis/${id}`)).json();
    },
  };
}
