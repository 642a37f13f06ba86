import { setTimeout as wait } from "node:timers/promises";
import { address, recordings, run, store, untilAnswering, whileRunning, workplace } from "./workplace.ts";

/** File name and page of `/debug/pprof/`, in the order in which they are fetched. */
const bakeryPages = [
  ["cpu.pb.gz", "profile?seconds=5"],
  ["delta-mutex.pb.gz", "mutex?seconds=2"],
  ["delta-block.pb.gz", "block?seconds=2"],
  ["delta-allocs.pb.gz", "allocs?seconds=2"],
  ["delta-heap.pb.gz", "heap?seconds=2"],
  ["delta-goroutine.pb.gz", "goroutine?seconds=1"],
  ["mutex.pb.gz", "mutex"],
  ["block.pb.gz", "block"],
  ["goroutine.pb.gz", "goroutine"],
  ["threadcreate.pb.gz", "threadcreate"],
  ["open-ovens.pb.gz", "bakery/open_ovens"],
  ["heap.pb.gz", "heap?gc=1"],
  ["allocs.pb.gz", "allocs"],
  ["goroutine-debug1.txt", "goroutine?debug=1"],
  ["goroutine-debug2.txt", "goroutine?debug=2"],
  ["threadcreate-debug1.txt", "threadcreate?debug=1"],
  ["mutex-debug1.txt", "mutex?debug=1"],
] as const;

/** Deeper than Go's profilers follow: they cut such stacks. */
const deepPages = [
  ["deep-cpu.pb.gz", "profile?seconds=2"],
  ["deep-goroutine.pb.gz", "goroutine"],
] as const;

const leakPages = [["goroutineleak.pb.gz", "goroutineleak"]] as const;
const noLeakPages = [["goroutineleak-none.pb.gz", "goroutineleak"]] as const;

const libraryPages = [
  ["large-cpu-1.pb.gz", "profile?seconds=40"],
  ["large-cpu-2.pb.gz", "profile?seconds=40"],
  ["large-cpu-3.pb.gz", "profile?seconds=40"],
  ["large-cpu-4.pb.gz", "profile?seconds=40"],
  ["large-heap.pb.gz", "heap?gc=1"],
] as const;

/** `toolchain` as in GOTOOLCHAIN; Go fetches a version that is not installed from the module proxy. */
export async function recordGo(toolchain: string, folder: string): Promise<void> {
  const environment = { GOTOOLCHAIN: toolchain, GOFLAGS: "-trimpath -buildvcs=false" };
  const sources = `${recordings}programs/go`;
  for (const program of ["bakery", "library"])
    run(sources, environment, "go", "build", "-o", `${workplace}/${program}`, `./${program}`);
  const goroot = run(sources, environment, "go", "env", "GOROOT").trim();
  const pages = (...args: [string, readonly (readonly [string, string])[]]) => recordPages(folder, ...args);
  await whileRunning({}, [`${workplace}/bakery`, "-addr", address], () => pages("bakery", bakeryPages));
  await whileRunning({}, [`${workplace}/bakery`, "-addr", address, "-depth", "200"], () =>
    pages("bakery", deepPages),
  );
  await whileRunning({}, [`${workplace}/library`, "-addr", address, "-goroot", goroot], () =>
    pages("library", libraryPages),
  );
}

/** Leaked goroutines, which Go 1.26 finds as an experiment. */
export async function recordLeaks(folder: string): Promise<void> {
  const environment = { GOEXPERIMENT: "goroutineleakprofile", GOFLAGS: "-trimpath -buildvcs=false" };
  const florist = `${workplace}/florist`;
  run(`${recordings}programs/go`, environment, "go", "build", "-o", florist, "./florist");
  const command = [florist, "-addr", address] as const;
  await whileRunning({}, [...command], () => recordPages(folder, "florist", leakPages));
  await whileRunning({}, [...command, "-prices", "0"], () => recordPages(folder, "florist", noLeakPages));
}

async function recordPages(
  folder: string,
  program: string,
  pages: readonly (readonly [string, string])[],
): Promise<void> {
  await untilAnswering(`http://${address}/debug/pprof/cmdline`);
  await wait(2000);
  for (const [file, page] of pages) {
    const reply = await fetch(`http://${address}/debug/pprof/${page}`);
    if (!reply.ok) throw new Error(`${page} of ${program}: ${reply.status} ${await reply.text()}`);
    store(`${folder}/${file}`, await reply.bytes());
  }
}
