import { buildJava } from "#harness/run-code.ts";
import { fetchJar, javac, maven, type Sender } from "./sender.ts";

/** The jar has the libraries of all systems. */
const record = `unzip -q -o async-profiler.jar 'linux-*/*'
library=$(ls linux-$(uname -m | sed 's/x86_64/x64/; s/aarch64/arm64/')/libasyncProfiler.so)
java -agentpath:$library=start,event=itimer,alloc=512k,jfr,file=checkout.jfr -jar checkout.jar`;

export const asyncProfiler: Sender = {
  name: "tools.profiler:async-profiler",
  run: "a recording of six seconds (`event=itimer,alloc`), sent with curl",
  needs: [maven, javac, ["unzip", "-v"], ["grep", "-q", "Linux", "/proc/version"]],
  async start({ shop, url, key }) {
    await buildJava(shop);
    const version = await fetchJar(shop, this.name);
    await shop.shell(record, { WORK_SECONDS: "6" });
    const address = `${url}/api/v1/ingest/profiles?service=checkout&tag.region=eu`;
    const reply = await shop.shell(
      `curl -sS -X POST "${address}" -H "X-API-Key: ${key}" --data-binary @checkout.jfr`,
    );
    if (!reply.includes('"profile_id"')) throw new Error(reply);
    return version;
  },
  expected: {
    service: "checkout",
    tags: { region: "eu" },
    functions: { cpu: "Checkout.hashPrices", memory: "Checkout.main" },
  },
};
