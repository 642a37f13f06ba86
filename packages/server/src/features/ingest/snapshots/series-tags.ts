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

export function namesInstance(tags: ReadonlyMap<string, string>): boolean {
  return instanceTags.some((name) => tags.has(name));
}
