import cAndCppPage from "#guide/send-c-cpp.md?raw";
import datadogPage from "#guide/send-datadog.md?raw";
import dotnetPage from "#guide/send-dotnet.md?raw";
import ebpfPage from "#guide/send-ebpf.md?raw";
import goPprofPage from "#guide/send-go-pprof.md?raw";
import goSdkPage from "#guide/send-go-sdk.md?raw";
import javaPage from "#guide/send-java.md?raw";
import nodePage from "#guide/send-node.md?raw";
import collectorPage from "#guide/send-opentelemetry.md?raw";
import phpPage from "#guide/send-php.md?raw";
import pythonPage from "#guide/send-python.md?raw";
import rubyPage from "#guide/send-ruby.md?raw";
import rustPage from "#guide/send-rust.md?raw";
import startPage from "#guide/start.md?raw";
import { type BlockLanguage, blockOf, filled, type SendInput } from "./code-of-guide.ts";

/*
 * All code comes from the pages of the guide, whose tests run it or whose text says that nobody did.
 */

interface CodePart {
  /** Where the code belongs. */
  readonly place: string;
  readonly code: string;
}

export interface WayToSend {
  readonly label: string;
  /** One sentence about its requirements and effect. */
  readonly about: string;
  readonly parts: readonly CodePart[];
  /** False if the page of the guide says that nobody has run it against this server. */
  readonly isRun: boolean;
  /** True if its library takes only keys that are made for Datadog's libraries. */
  readonly needsDatadogKey: boolean;
  /** Path of its page of the guide. */
  readonly guide: string;
}

export interface Language {
  readonly label: string;
  readonly ways: readonly WayToSend[];
}

/** Where the code belongs, its language, and which of the blocks of that language it is on its page. */
type Block = readonly [place: string, language: BlockLanguage, at?: number];

interface Source {
  readonly label: string;
  readonly about: string;
  readonly page: string;
  readonly guide: string;
  readonly blocks: readonly Block[];
  readonly needsDatadogKey?: true;
}

const shell = "In a shell";
const atStart = "At the start of the program";

const sources: Readonly<Record<string, readonly Source[]>> = {
  Go: [
    {
      label: "SDK",
      about: "The Pyroscope SDK for Go, unmodified: CPU, allocations and heap every 15 seconds.",
      page: goSdkPage,
      guide: "/docs/send/go-sdk",
      blocks: [
        [shell, "sh"],
        ["main.go", "go"],
      ],
    },
    {
      label: "net/http/pprof",
      about: "No dependency: a loop sends CPU, heap, goroutines and locks of /debug/pprof every minute.",
      page: goPprofPage,
      guide: "/docs/send/go-pprof",
      blocks: [
        ["main.go", "go"],
        [shell, "sh"],
      ],
    },
    {
      label: "Datadog",
      about: "Datadog's library for Go, unmodified: CPU, heap and the number of goroutines every minute.",
      page: datadogPage,
      guide: "/docs/send/datadog#go",
      blocks: [
        [shell, "sh"],
        ["main.go", "go"],
        ["Start the program", "sh", 1],
      ],
    },
  ],
  Java: [
    {
      label: "Agent",
      about: "Pyroscope's agent, unmodified: CPU, allocations and locks every ten seconds.",
      page: javaPage,
      guide: "/docs/send/java",
      blocks: [
        ["Get the agent", "sh"],
        ["Start the program with it", "sh", 1],
      ],
    },
    {
      label: "Recording",
      about: "One recording of the JDK's Flight Recorder, sent when the program exits.",
      page: javaPage,
      guide: "/docs/send/java#send-a-recording",
      blocks: [[shell, "sh", 2]],
    },
    {
      label: "Datadog",
      about: "Datadog's agent for Java, unmodified: CPU, memory and locks every minute.",
      page: datadogPage,
      guide: "/docs/send/datadog#java",
      blocks: [
        ["Get the agent", "sh", 2],
        ["Start the program with it", "sh", 3],
      ],
      needsDatadogKey: true,
    },
  ],
  Python: [
    {
      label: "SDK",
      about: "The Pyroscope SDK for Python, unmodified: CPU every ten seconds.",
      page: pythonPage,
      guide: "/docs/send/python",
      blocks: [
        [shell, "sh"],
        [atStart, "python"],
      ],
    },
    {
      label: "gunicorn",
      about: "The SDK starts in each worker, because a profiler does not survive a fork.",
      page: pythonPage,
      guide: "/docs/send/python#programs-that-fork",
      blocks: [
        [shell, "sh"],
        ["gunicorn.conf.py", "python", 2],
      ],
    },
    {
      label: "uWSGI",
      about: "The SDK starts in each worker, because a profiler does not survive a fork.",
      page: pythonPage,
      guide: "/docs/send/python#programs-that-fork",
      blocks: [
        [shell, "sh"],
        ["In the module of the application", "python", 3],
      ],
    },
    {
      label: "Datadog",
      about: "Datadog's library for Python, unmodified: CPU, wall time, memory and locks every minute.",
      page: datadogPage,
      guide: "/docs/send/datadog#python",
      blocks: [
        [shell, "sh", 4],
        ["Start the program", "sh", 5],
      ],
    },
  ],
  Node: [
    {
      label: "SDK",
      about: "The Pyroscope SDK for Node, unmodified: CPU and wall time every minute.",
      page: nodePage,
      guide: "/docs/send/node",
      blocks: [
        [shell, "sh"],
        [atStart, "js"],
      ],
    },
    {
      label: "Datadog",
      about:
        "Datadog's library for Node, unmodified, with a proxy that adds the key: CPU, wall time and memory every minute.",
      page: datadogPage,
      guide: "/docs/send/datadog#node",
      blocks: [
        [shell, "sh", 6],
        [atStart, "js"],
        ["proxy.mjs", "js", 1],
        ["Start the proxy", "sh", 8],
        ["Start the program, in another shell", "sh", 7],
      ],
    },
  ],
  Ruby: [
    {
      label: "SDK",
      about: "The Pyroscope gem, unmodified.",
      page: rubyPage,
      guide: "/docs/send/ruby",
      blocks: [[atStart, "ruby"]],
    },
  ],
  Rust: [
    {
      label: "SDK",
      about: "The Pyroscope crate for Rust, unmodified: CPU every ten seconds.",
      page: rustPage,
      guide: "/docs/send/rust",
      blocks: [
        [shell, "sh"],
        ["src/main.rs", "rust"],
      ],
    },
  ],
  ".NET": [
    {
      label: "Profiler",
      about: "Pyroscope's profiler for .NET on Linux, loaded by the runtime.",
      page: dotnetPage,
      guide: "/docs/send/dotnet",
      blocks: [[shell, "sh"]],
    },
  ],
  PHP: [
    {
      label: "Excimer",
      about: "The extension Excimer (php-excimer): CPU when a run or request ends.",
      page: phpPage,
      guide: "/docs/send/php",
      blocks: [
        ["profile.php", "php"],
        [shell, "sh"],
      ],
    },
  ],
  "C, C++": [
    {
      label: "perf",
      about: "Ten seconds of CPU of a running program; PID is its process ID.",
      page: cAndCppPage,
      guide: "/docs/send/c-cpp",
      blocks: [[shell, "sh"]],
    },
    {
      label: "gperftools",
      about: "CPU of a whole run, by a preloaded library.",
      page: cAndCppPage,
      guide: "/docs/send/c-cpp#gperftools",
      blocks: [[shell, "sh", 1]],
    },
  ],
  OpenTelemetry: [
    {
      label: "Collector",
      about: "Your own collector, with profiles enabled. Each service keeps the name it sends.",
      page: collectorPage,
      guide: "/docs/send/opentelemetry",
      blocks: [
        ["collector.yaml", "yaml"],
        ["Start the collector", "sh"],
      ],
    },
    {
      label: "eBPF on Kubernetes",
      about: "All programs on all nodes, unmodified. The Secret flamekeep-key holds the key.",
      page: ebpfPage,
      guide: "/docs/send/ebpf",
      blocks: [["ebpf-profiler.yaml", "yaml"]],
    },
  ],
  Other: [
    {
      label: "curl",
      about: "Any pprof file, here ten seconds of CPU from a program that serves /debug/pprof.",
      page: startPage,
      guide: "/docs/sending#other-formats",
      blocks: [[shell, "sh"]],
    },
  ],
};

/** By language, the commands and code that send a first profile, with server, key and service filled in. */
export function waysToSend(input: SendInput): Language[] {
  return Object.entries(sources).map(([label, ways]) => ({
    label,
    ways: ways.map(({ page, blocks, needsDatadogKey = false, ...way }) => ({
      ...way,
      needsDatadogKey,
      isRun: !/has not been\s+run/.test(page),
      parts: blocks.map(([place, language, at]) => ({
        place,
        code: filled(blockOf(page, language, at), input),
      })),
    })),
  }));
}
