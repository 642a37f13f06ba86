const labels: Record<string, string> = {
  all: "All",
  cpu: "CPU",
  memory: "Memory",
  goroutine: "Goroutine",
  goroutine_leak: "Leaked goroutines",
  mutex: "Mutex",
  block: "Block",
  custom: "Custom",
  metrics: "Metrics",
  wall: "Wall time",
};

export function profileTypeLabel(type: string): string {
  return labels[type] ?? capitalized(type);
}

/** The type within a sentence: `CPU`, `memory`, `wall time`. */
export function profileTypeName(type: string): string {
  return type === "cpu" ? "CPU" : profileTypeLabel(type).toLowerCase();
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
