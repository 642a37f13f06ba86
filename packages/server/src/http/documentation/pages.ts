/** A page of the guide, written in Markdown in the project's `docs/` folder. */
export interface GuidePage {
  /** Below /docs; empty for /docs itself. */
  readonly path: string;
  /** In the navigation; the page itself has the heading of its file. */
  readonly title: string;
  /** Relative to the project's folder. */
  readonly file: string;
}

export interface GuideGroup {
  readonly title: string;
  readonly pages: readonly GuidePage[];
}

const guide = (path: string, title: string, name: string): GuidePage => ({
  path,
  title,
  file: `docs/guide/${name}.md`,
});

const operating = (name: string, title: string): GuidePage => ({
  path: name,
  title,
  file: `docs/operate/${name}.md`,
});

/** The guide in reading order. The API reference follows it. */
export const guideGroups: readonly GuideGroup[] = [
  { title: "Begin", pages: [guide("", "Start", "start")] },
  {
    title: "Send",
    pages: [
      guide("send/go-sdk", "Go with the SDK", "send-go-sdk"),
      guide("send/go-pprof", "Go from /debug/pprof", "send-go-pprof"),
      guide("send/python", "Python", "send-python"),
      guide("send/node", "Node", "send-node"),
      guide("send/java", "Java", "send-java"),
      guide("send/rust", "Rust", "send-rust"),
      guide("send/ruby", "Ruby", "send-ruby"),
      guide("send/php", "PHP", "send-php"),
      guide("send/dotnet", ".NET", "send-dotnet"),
      guide("send/c-cpp", "C and C++", "send-c-cpp"),
      guide("send/ebpf", "eBPF", "send-ebpf"),
      guide("send/alloy", "Grafana Alloy", "send-alloy"),
      guide("send/opentelemetry", "OpenTelemetry", "send-opentelemetry"),
      guide("send/datadog", "Datadog's libraries", "send-datadog"),
      guide("send/containers", "Docker and Kubernetes", "send-containers"),
      guide("send/pull", "Pull /debug/pprof", "pull"),
      guide("send/http-metrics", "HTTP metrics", "send-http-metrics"),
      { path: "sending", title: "All details of sending", file: "docs/sending.md" },
    ],
  },
  {
    title: "Understand",
    pages: [
      guide("profile-types", "Profile types", "profile-types"),
      { path: "flame-graph", title: "Read a flame graph", file: "docs/read-a-flame-graph.md" },
      guide("comparison", "Compare", "comparison"),
      guide("alerts", "Alerts", "alerts"),
      guide("dashboards", "Dashboards", "dashboards"),
      { path: "analysis", title: "Recommendations", file: "docs/analysis.md" },
      guide("findings", "Findings", "findings"),
      guide("agents", "Coding agents", "agents"),
      guide("grafana", "Grafana and other readers of Pyroscope", "grafana"),
    ],
  },
  {
    title: "Operate",
    pages: [
      guide("operate", "Operate", "operate"),
      operating("install", "Install"),
      operating("proxies", "Reverse proxies"),
      operating("organization-limits", "Limits by organization"),
      operating("clickhouse", "ClickHouse"),
      operating("settings", "Settings"),
      operating("monitoring", "Monitoring"),
      guide("security", "Security", "security"),
      guide("limits", "Limits", "limits"),
      { path: "reliability", title: "Reliability", file: "docs/reliability.md" },
      { path: "backups", title: "Backups", file: "docs/backups.md" },
      operating("move", "Move data"),
    ],
  },
];

export const guidePages: readonly GuidePage[] = guideGroups.flatMap(({ pages }) => pages);

export function guideAddress({ path }: GuidePage): string {
  return path === "" ? "/docs" : `/docs/${path}`;
}
