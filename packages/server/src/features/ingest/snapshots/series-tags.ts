/** Tags that name a process, or a place where one process of a service runs. */
const instanceTags = [
  "instance",
  "instance_id",
  "service.instance.id",
  "service_instance_id",
  "pod",
  "pod_name",
  "k8s.pod.name",
  "hostname",
  "host",
  "host.name",
  "container_id",
  "container.id",
  "pid",
  "process_id",
  "process.pid",
] as const;

/** Tags that change when a new version of the same service starts in the same place. */
export const versionTags: readonly string[] = [
  "version",
  "service.version",
  "service_version",
  "service_git_ref",
  "release",
  "revision",
  "commit",
];

export function namesInstance(tags: ReadonlyMap<string, string>): boolean {
  return instanceTags.some((name) => tags.has(name));
}
