import { defaultLimits, hashStacks, readLabelledStacks } from "@flamekeep/profile";
import { expect, it } from "vitest";
import { z } from "zod";
import { readConfig } from "#config";
import { maintenanceQuery } from "#store/column/query.ts";
import { Int64 } from "#store/column/values.ts";
import { largeProfile } from "#testing/hostile-bodies.ts";
import { startApp } from "#testing/start-app.ts";

const storedStacks = maintenanceQuery({
  name: "test.stacks",
  sql: "SELECT stack_id AS id, frame_ids AS frames FROM stacks FINAL WHERE org_id = {orgId:UUID} ORDER BY stack_id",
  params: z.object({ orgId: z.uuid() }),
  row: z.object({ id: Int64, frames: z.array(Int64) }),
});

it("a profile with 60 frames for each sample of the limit, whose stacks need several inserts, is stored with all its stacks", async () => {
  const server = await startApp({ config: { ingest: { ...readConfig({}).ingest, maxSamples: 20_000 } } });
  try {
    const person = await server.signUp();
    const { headers } = await server.makeKey(person);
    const raw = largeProfile(20_000, 60);
    const read = readLabelledStacks(raw, defaultLimits);
    if (!read.ok) throw new Error(read.error.message);
    const { stacks } = read.profile;
    const ids = hashStacks(stacks);
    const words = ({ buffer, byteOffset }: Uint32Array, count: number) =>
      new BigUint64Array(buffer, byteOffset, count);
    const frameIds = words(ids.frameIds, stacks.frames.length);
    const expected = new Map(
      [...words(ids.stackIds, stacks.length)].map((id, i) => [
        id,
        Array.from(stacks.frame.subarray(stacks.start[i], stacks.start[i + 1]), (frame) => frameIds[frame]!),
      ]),
    );

    await server.send(raw, { headers });
    await server.ctx.columns.awaitedRows.settled(undefined);
    const stored = await server.ctx.columns.maintenance.query(storedStacks, { orgId: person.orgId });
    expect(expected.size).toBe(20_000);
    expect(stored).toHaveLength(expected.size);
    expect(stored.filter(({ id, frames }) => String(frames) !== String(expected.get(id)))).toEqual([]);
  } finally {
    await server.close();
  }
});
