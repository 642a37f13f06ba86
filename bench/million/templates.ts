import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { hourMs } from "@flamekeep/contract/durations";
import type { BenchServer } from "./server.ts";

const recordings = fileURLToPath(new URL("../../examples/shop/recorded", import.meta.url));
const types = ["cpu", "memory", "goroutine", "mutex", "block"];
const perServiceAndType = 3;

/** Sends recorded profiles of the demo shop through the ingestion endpoint; the stored rows are multiplied. */
export async function sendTemplates(server: BenchServer, at: Date): Promise<number> {
  let sent = 0;
  for (const type of types) {
    const files = globSync(`*/*/${type}-*.pb.gz`, { cwd: recordings }).sort();
    const taken = new Map<string, number>();
    for (const file of files) {
      const service = file.split("/")[0] ?? "";
      const count = taken.get(service) ?? 0;
      if (count === perServiceAndType) continue;
      taken.set(service, count + 1);
      await server.send(readFileSync(`${recordings}/${file}`), {
        service: `${service}-${basename(file, ".pb.gz")}`,
        type,
        started_at: new Date(at.getTime() - hourMs).toISOString(),
      });
      sent++;
    }
  }
  if (sent === 0) throw new Error(`no recorded profiles in ${recordings}`);
  return sent;
}
