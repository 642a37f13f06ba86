import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";

export function hasTool(name: string, ...args: readonly string[]): boolean {
  return spawnSync(name, args).status === 0;
}

/** A program that runs until it is disposed of, with the processes that it started. */
export interface Running {
  output(): string;
  hasEnded(): boolean;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Nothing reads the debug information of the Go programs, nor most of the modules that pip would compile. */
const sparingBuilds = {
  GOFLAGS: [process.env.GOFLAGS, "-ldflags=-w"].filter(Boolean).join(" "),
  PIP_NO_COMPILE: "on",
  PIP_DISABLE_PIP_VERSION_CHECK: "on",
};

/** A folder in which code of the guide is built and run; it is removed with all that runs in it. */
export class Workshop {
  readonly folder = mkdtempSync(join(tmpdir(), "flamekeep-guide-"));
  readonly #env: Record<string, string | undefined>;
  readonly #running: Running[] = [];

  constructor(env: Readonly<Record<string, string>>) {
    const {
      NODE_OPTIONS: _,
      VITEST: __,
      NODE_ENV: ___,
      NODE_COMPILE_CACHE: ____,
      ...inherited
    } = process.env;
    this.#env = { ...inherited, ...sparingBuilds, ...env };
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  /** Runs a command as a reader pastes it. Throws with its output unless it succeeds. */
  async shell(command: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
    const child = this.#spawn("bash", ["-c", command], env);
    const text = outputOf(child);
    const [code] = await once(child, "close");
    if (code !== 0) throw new Error(`${command}\nended with ${code}:\n${text()}`);
    return text();
  }

  start(command: string, args: readonly string[] = []): Running {
    const child = this.#spawn(command, args, {});
    const text = outputOf(child);
    const ended = once(child, "close");
    const running: Running = {
      output: text,
      hasEnded: () => child.exitCode !== null || child.signalCode !== null,
      async [Symbol.asyncDispose]() {
        if (!running.hasEnded()) process.kill(-child.pid!, "SIGKILL");
        await ended;
      },
    };
    this.#running.push(running);
    return running;
  }

  /** Everything that its programs printed. */
  output(): string {
    return this.#running.map((running) => running.output()).join("\n");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const running of this.#running) await running[Symbol.asyncDispose]();
    // Go writes its modules without write permission elsewhere, so that nothing in here resists.
    rmSync(this.folder, { recursive: true, force: true });
  }

  #spawn(command: string, args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
    const options = { cwd: this.folder, env: { ...this.#env, ...env }, detached: true } as const;
    return spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  }
}

function outputOf(child: ChildProcess): () => string {
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  return () => text;
}

/** The programs of the guide have this line where the reader's program goes on. */
const rest = "// your program";

function withWork(code: string, call: string): string {
  if (!code.includes(rest)) throw new Error(`"${rest}" is missing in:\n${code}`);
  return code.replace(rest, call);
}

// Each program computes for about a twentieth of its time, because a dozen of them run on the same machine: some samples each second.

const goWork = `package main

import (
	"sync"
	"time"
)

//go:noinline
func hashPrices(n int) (sum uint64) {
	for i := 0; i < n; i++ {
		sum = sum*31 + uint64(i)
	}
	return
}

var (
	kept   [][]byte
	ledger sync.Mutex
)

func holdLedger() {
	ledger.Lock()
	time.Sleep(5 * time.Millisecond)
	ledger.Unlock()
}

func work() {
	for end := time.Now().Add(4 * time.Minute); time.Now().Before(end); {
		kept = append(kept[:len(kept)%64], make([]byte, 1<<16+int(hashPrices(1_500_000)%2)))
		go holdLedger()
		holdLedger()
		time.Sleep(20 * time.Millisecond)
	}
}
`;

/** Builds a Go program of the guide with a function that works; returns its path. */
export async function buildGo(
  shop: Workshop,
  { install = "", main }: { install?: string; main: string },
): Promise<string> {
  await shop.shell("go mod init checkout");
  if (install !== "") await shop.shell(install);
  shop.write("main.go", withWork(main, "work()"));
  shop.write("work.go", goWork);
  await shop.shell("go build -o checkout .");
  return join(shop.folder, "checkout");
}

/** Python's functions that work, in a program of the guide. */
const pythonWork = `
def hash_prices(n):
    total = 0
    for i in range(n):
        total = (total * 31 + i) & 0xFFFFFFFF
    return total
`;

/** A program that works for some minutes. */
export const pythonProgram = `
import time
${pythonWork}
kept = []
end = time.time() + 240
while time.time() < end:
    hash_prices(40_000)
    kept = kept[-50:] + [["cart%d" % i for i in range(5_000)]]
    time.sleep(0.08)
`;

export async function startPython(shop: Workshop, install: string, code: string): Promise<Running> {
  await installPython(shop, install);
  shop.write("checkout.py", `${code}\n${pythonProgram}`);
  return shop.start(join(shop.folder, "venv/bin/python"), ["checkout.py"]);
}

/**
 * Makes `venv` with the pip of the machine: installing pip takes longer than what it then installs. Without one, as a reader does.
 * The example service does it as a reader, too.
 */
export async function makeVenv(shop: Workshop): Promise<void> {
  shop.write(
    "make_venv.py",
    `import os, sys, venv
try:
    import pip
    # Older ones do not install for another Python.
    has_pip = tuple(map(int, pip.__version__.split(".")[:2])) >= (22, 3)
except ImportError:
    has_pip = False
venv.create("venv", symlinks=True, with_pip=not has_pip)
if has_pip:
    with open("venv/bin/pip", "w") as pip:
        pip.write(f'#!/bin/sh\\nexec {sys.executable} -m pip --python "$(dirname "$0")/python" "$@"\\n')
    os.chmod("venv/bin/pip", 0o755)
`,
  );
  await shop.shell("python3 make_venv.py");
}

async function installPython(shop: Workshop, install: string): Promise<void> {
  await makeVenv(shop);
  await shop.shell(install, { PATH: `${join(shop.folder, "venv/bin")}:${process.env.PATH}` });
}

/** A server that forks its workers, with a module `checkout.py` whose application works at each request. */
export async function startForking(
  shop: Workshop,
  { install, module = "", command }: { install: string; module?: string; command: string },
): Promise<Running> {
  await installPython(shop, install);
  shop.write(
    "checkout.py",
    `${module}
${pythonWork}
def application(environment, start_response):
    hash_prices(1_000_000)
    start_response("200 OK", [])
    return [b"ok"]
`,
  );
  return shop.start("bash", ["-c", `exec venv/bin/${command}`]);
}

/**
 * The program works for five seconds. Then it stops Pyroscope's SDK, which would send after a minute.
 * @param command that starts it; a shell runs it with the Node of the tests
 */
export async function startNode(
  shop: Workshop,
  install: string,
  { code, command = "node checkout.js" }: { code: string; command?: string },
): Promise<Running> {
  shop.write("package.json", '{ "private": true }');
  await shop.shell(install);
  shop.write(
    "checkout.js",
    `${code}

function hashPrices(n) {
  let sum = 0;
  for (let i = 0; i < n; i++) sum = (sum * 31 + i) | 0;
  return sum;
}
const end = Date.now() + 5000;
const timer = setInterval(() => {
  hashPrices(5e6);
  if (Date.now() < end) return;
  clearInterval(timer);
  if (typeof Pyroscope !== "undefined") Pyroscope.stop().then(() => process.exit(0));
}, 80);
`,
  );
  return shop.start("bash", ["-c", `export PATH=${dirname(process.execPath)}:$PATH\n${command}`]);
}

/** Builds `checkout.jar`. It works for four minutes, or for as long as WORK_SECONDS says. */
export async function buildJava(shop: Workshop): Promise<void> {
  shop.write(
    "Checkout.java",
    `public class Checkout {
    static volatile long sum;

    static void hashPrices(int n) {
        long total = 0;
        for (int i = 0; i < n; i++) total = total * 31 + i;
        sum = total;
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = Long.parseLong(System.getenv().getOrDefault("WORK_SECONDS", "240"));
        long end = System.currentTimeMillis() + seconds * 1000;
        while (System.currentTimeMillis() < end) {
            hashPrices(5_000_000);
            byte[][] carts = new byte[64][1 << 16];
            sum += carts.length;
            Thread.sleep(80);
        }
    }
}
`,
  );
  await shop.shell(
    "javac -d classes Checkout.java && jar --create --file checkout.jar --main-class Checkout -C classes .",
  );
}

/** @param name of the package: cargo would take two packages of one name in the same cache for one */
export async function startRust(
  shop: Workshop,
  { name, install, code }: { name: string; install: string; code: string },
): Promise<Running> {
  // Kept outside the project, for other clones too, because its libraries take minutes. The settings do not change the program.
  const target = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "flamekeep-guides/rust");
  const env = { CARGO_TARGET_DIR: target, CARGO_PROFILE_DEV_DEBUG: "0", CARGO_INCREMENTAL: "0" };
  await shop.shell(`cargo init --quiet --name ${name}`);
  await shop.shell(install, env);
  shop.write(
    "src/main.rs",
    `${withWork(code, "work();")}

#[inline(never)]
fn hash_prices(n: u64) -> u64 {
    (0..n).fold(0, |sum: u64, i| sum.wrapping_mul(31).wrapping_add(std::hint::black_box(i)))
}

fn work() {
    let start = std::time::Instant::now();
    while start.elapsed().as_secs() < 12 {
        std::hint::black_box(hash_prices(500_000));
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}
`,
  );
  await shop.shell(`cargo build --quiet && cp "$CARGO_TARGET_DIR/debug/${name}" checkout`, env);
  return shop.start(join(shop.folder, "checkout"));
}

/** Builds the C program `checkout`. It works for four minutes, or for as long as WORK_SECONDS says. */
export async function buildC(shop: Workshop): Promise<void> {
  shop.write(
    "checkout.c",
    `#include <stdlib.h>
#include <time.h>
#include <unistd.h>

volatile unsigned long sum;

__attribute__((noinline)) void hash_prices(long n) {
    unsigned long total = 0;
    for (long i = 0; i < n; i++) total = total * 31 + i;
    sum = total;
}

int main(void) {
    const char *seconds = getenv("WORK_SECONDS");
    time_t end = time(0) + (seconds ? atol(seconds) : 240);
    while (time(0) < end) {
        hash_prices(5000000);
        usleep(20000);
    }
    return 0;
}
`,
  );
  await shop.shell("gcc -g -O1 -fno-omit-frame-pointer -o checkout checkout.c");
}

/** PHP's program `checkout.php`, which works for two seconds. */
export const phpWork = `<?php
function hash_prices(int $n): int {
    $total = 0;
    for ($i = 0; $i < $n; $i++) $total = ($total * 31 + $i) & 0xFFFFFFFF;
    return $total;
}
for ($end = time() + 2; time() < $end;) hash_prices(1000000);
`;
