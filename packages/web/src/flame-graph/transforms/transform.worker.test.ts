import { buildCallTree } from "@flamekeep/flame";
import { stacksOf } from "@flamekeep/flame/testing";
import { expect, it, vi } from "vitest";
import { buffersIn, type Reply, type Request } from "./worker-messages.ts";

const tree = buildCallTree(stacksOf("main;serve;json 50\nmain;log;json 30\ngc 20"), 0);

it("answers with the columns of each chain, and keeps the graph for the next one", async () => {
  const replies: { reply: Reply; moved: readonly unknown[] }[] = [];
  vi.stubGlobal("postMessage", (reply: Reply, moved: unknown[]) => replies.push({ reply, moved }));
  vi.stubGlobal("onmessage", null);
  await import("./transform.worker.ts");
  const ask = (data: Request) =>
    (globalThis as unknown as { onmessage: (event: { data: Request }) => void }).onmessage({ data });
  ask({ do: "transform", text: "focus:gc" });
  ask({ do: "load", source: tree });
  for (const text of ["focus:gc", "sandwich:json", ""]) ask({ do: "transform", text });
  expect(replies.map(({ reply }) => (reply.ok ? [reply.text, reply.shown.length] : reply.message))).toEqual([
    "There is no graph to transform.",
    ["focus:gc", 2],
    ["sandwich:json", 2],
    ["", tree.length],
  ]);
  const [, focused, sandwich] = replies;
  expect(focused!.reply).not.toHaveProperty("shown.functions");
  expect(sandwich!.reply).toMatchObject({ callers: { length: 6 } });
  const kept = buffersIn(tree);
  expect(kept.size).toBeGreaterThan(5);
  expect(focused!.moved.length).toBeGreaterThan(5);
  for (const { moved } of replies)
    expect(moved.filter((buffer) => kept.has(buffer as ArrayBuffer))).toEqual([]);
});
