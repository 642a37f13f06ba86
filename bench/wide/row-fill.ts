import { randomUUID } from "node:crypto";
import { dayMs } from "@flamekeep/contract/durations";
import type { Context } from "@flamekeep/server";

interface OrganizationRows {
  readonly orgId: string;
  readonly services: number;
  readonly at: Date;
}

const chunkRows = 500;
/** Of so many services, one has an alert, a resolved one and a project, and half have a finding. */
const servicesPerAlert = 5;

const emptyCoverage = JSON.stringify({
  signals: [],
  sent: { hasRequests: false, hasVersions: false, instances: 1, notJudged: [] },
});

/** Rows of an organization that people would make, and jobs: alerts, their coverage, findings and projects. */
export async function fillRows({ rows }: Context, { orgId, services, at }: OrganizationRows): Promise<void> {
  const numbers = Array.from({ length: services }, (_, number) => number);
  const names = numbers.map((number) => `service-${String(number).padStart(5, "0")}`);
  const time = new Date(at.getTime() - dayMs / 2).toISOString();
  const alerts = names
    .filter((_, number) => number % servicesPerAlert === 0)
    .flatMap((service) => [
      alertOf(orgId, service, time, null),
      alertOf(orgId, service, time, at.toISOString()),
    ]);
  const findings = names.filter((_, number) => number % 2 === 0).map((name) => findingOf(orgId, name, time));
  const coverage = names.map((service) => ({ orgId, service, judgedAt: time, coverage: emptyCoverage }));
  const projects = names
    .filter((_, number) => number % (2 * servicesPerAlert) === 0)
    .map((name) => projectOf(orgId, name, time));
  await rows.transaction().execute(async (all) => {
    for (const values of chunks(alerts)) await all.insertInto("alerts").values(values).execute();
    for (const values of chunks(findings)) await all.insertInto("findings").values(values).execute();
    for (const values of chunks(coverage)) await all.insertInto("alertCoverage").values(values).execute();
    for (const values of chunks(projects)) await all.insertInto("projects").values(values).execute();
  });
}

/** Organizations that nobody signs in to. */
export async function addOrganizations({ rows }: Context, count: number, at: Date): Promise<string[]> {
  const organizations = Array.from({ length: count }, (_, number) => ({
    id: randomUUID(),
    name: `Organization ${number}`,
    isDemo: 0 as const,
    createdAt: at.toISOString(),
  }));
  if (count > 0) await rows.insertInto("organizations").values(organizations).execute();
  return organizations.map(({ id }) => id);
}

function* chunks<T>(values: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < values.length; at += chunkRows) yield values.slice(at, at + chunkRows);
}

function alertOf(orgId: string, service: string, time: string, resolvedAt: string | null) {
  const id = randomUUID();
  return {
    id,
    orgId,
    incidentId: id,
    circumstances: null,
    service,
    type: "cpu",
    sampleType: "cpu/nanoseconds",
    profileId: "0".repeat(32),
    openedAt: time,
    beganAt: time,
    resolvedAt,
    baselineFrom: time,
    baselineTo: time,
    currentFrom: time,
    currentTo: time,
    previousValue: 1,
    currentValue: 2,
    increase: 1,
    functions: "[]",
    reference: "{}",
  };
}

function findingOf(orgId: string, service: string, time: string) {
  return {
    id: randomUUID(),
    orgId,
    service,
    rule: "repeated-work",
    function: "main.work",
    displayType: "cpu" as const,
    category: "cpu_optimization" as const,
    priority: "medium" as const,
    isCurrent: 1 as const,
    firstSeenAt: time,
    lastSeenAt: time,
    analysisId: randomUUID(),
    ownerId: null,
    unit: "cores" as const,
    inUse: 1,
    share: 0.5,
    saving: 0.1,
    finding: JSON.stringify({
      id: "0",
      category: "cpu_optimization",
      priority: "medium",
      confidence: 1,
      issue: "",
      impact: "",
      solution: "",
      rule: "repeated-work",
      sampleType: "cpu/nanoseconds",
      saving: 0.1,
      share: 0.5,
      functions: [],
      type: "cpu",
      profileId: null,
      from: time,
      to: time,
    }),
  };
}

function projectOf(orgId: string, name: string, time: string) {
  return {
    id: randomUUID(),
    orgId,
    name: `Group ${name}`,
    description: "",
    status: "active" as const,
    tags: "[]",
    memberCount: 1,
    services: JSON.stringify([name]),
    createdAt: time,
    updatedAt: time,
  };
}
