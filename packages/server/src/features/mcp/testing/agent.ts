import type { AddressInfo } from "node:net";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect } from "vitest";
import type { TestApp } from "#testing/start-app.ts";

/** A coding agent that is connected to the server. */
export interface Agent {
  readonly client: Client;
  /** One page of an answer: its text, whether it is an error or not. */
  call(tool: string, input?: Readonly<Record<string, unknown>>): Promise<string>;
  /** All pages of an answer as one text. */
  readAll(tool: string, input: Readonly<Record<string, unknown>>): Promise<string>;
  close(): Promise<void>;
}

const lastLine = /\n\(lines \d+ to \d+ of \d+; for more: cursor "(.+)"\)$/;

/** The server must listen. */
export async function connectAgent({ app }: TestApp, key: string): Promise<Agent> {
  const { port } = app.server.address() as AddressInfo;
  const client = new Client({ name: "test", version: "1" });
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), { requestInit }),
  );
  async function call(name: string, input: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const { content } = await client.callTool({ name, arguments: input });
    const [first] = content;
    if (first?.type !== "text") throw new Error("the tool gave no text");
    expect(Buffer.byteLength(first.text)).toBeLessThan(4096);
    return first.text;
  }
  return {
    client,
    call,
    async readAll(name, input) {
      const pages: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await call(name, { ...input, ...(cursor !== undefined && { cursor }) });
        cursor = lastLine.exec(page)?.[1];
        pages.push(page.replace(lastLine, ""));
      } while (cursor !== undefined);
      return pages.join("\n");
    },
    close: () => client.close(),
  };
}
