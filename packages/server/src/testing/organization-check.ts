import type { KyselyPlugin, OperationNode } from "kysely";
import type { Database } from "#store/row/row-store.ts";

type Scoped = { [T in keyof Database]: "orgId" extends keyof Database[T] ? T : never }[keyof Database];

/** The type demands every table: the program does not compile while one with an organization is missing. */
const scoped: Readonly<Record<Scoped, true>> = {
  memberships: true,
  auditEntries: true,
  invitations: true,
  sharedLinks: true,
  openedFiles: true,
  organizationRemovals: true,
  sessions: true,
  apiKeys: true,
  apiKeyUsage: true,
  apiKeyRefusals: true,
  alerts: true,
  alertCoverage: true,
  alertDigests: true,
  alertHandling: true,
  alertMutes: true,
  alertProgress: true,
  alertRules: true,
  alertRuleProgress: true,
  alertSettings: true,
  alertDeliveries: true,
  incidentAssignments: true,
  incidentComments: true,
  digestDeliveries: true,
  projects: true,
  derivedProjects: true,
  dashboards: true,
  dashboardVersions: true,
  organizationLimits: true,
  serviceRemovals: true,
  sourceLinks: true,
  analyses: true,
  recommendationFeedback: true,
  findings: true,
  analysisUsage: true,
  targets: true,
  targetStates: true,
};

const scopedNames = new Set(Object.keys(scoped).map(snakeCase));
const inRawSql = new RegExp(`\\b(${[...scopedNames].join("|")})\\b`, "i");

/**
 * Refuses queries that do not name the organization whose rows they read or change. Each table with an `org_id`, in
 * subqueries too, needs a condition that every row found must meet: `org_id` is a value, one of a list of values, or the
 * `org_id` of a table that is bound itself. An insert must set `org_id`, and on a conflict it must not update a row of
 * another organization. Raw SQL cannot be checked, so it must not name such a table.
 *
 * Add it behind the plugin that turns names into snake_case.
 */
export const organizationCheck: KyselyPlugin = {
  transformQuery({ node }) {
    check(node, noTables);
    return node;
  },
  transformResult: async ({ result }) => result,
};

/** The tables of a query and of those around it by the name that conditions use; true: its organization is bound. */
type Tables = ReadonlyMap<string, boolean>;

const noTables: Tables = new Map();

/** Kysely has a type for each kind of node; these are all their fields that the check reads. */
type AnyNode = OperationNode & { readonly [F in Field]?: unknown };

type Field =
  | ("from" | "froms" | "into" | "items" | "joins" | "joinType" | "table" | "tables" | "using")
  | ("alias" | "column" | "columns" | "identifier" | "name" | "node")
  | ("left" | "leftOperand" | "on" | "operator" | "right" | "rightOperand" | "where")
  | ("onConflict" | "parameters" | "sqlFragments" | "updates");

function check(node: unknown, around: Tables): void {
  if (Array.isArray(node)) for (const each of node) check(each, around);
  if (!isNode(node)) return;
  const inside = isQuery(node) ? checkQuery(node, around) : around;
  if (node.kind === "InsertQueryNode") checkInsert(node);
  if (node.kind === "RawNode") checkRaw(node);
  for (const child of Object.values(node)) check(child, inside);
}

function isQuery({ kind }: AnyNode): boolean {
  return kind === "SelectQueryNode" || kind === "UpdateQueryNode" || kind === "DeleteQueryNode";
}

function checkQuery(query: AnyNode, around: Tables): Tables {
  const joins = nodes(query.joins);
  const own = [...nodes(query.table), ...nodes(query.from), ...nodes(query.using), ...joins].flatMap(
    tablesOf,
  );
  const bound = new Map([...around, ...own.map(({ alias }) => [alias, false] as const)]);
  // A column without a table belongs to the only table that can have it.
  const [only, ...others] = own;
  const unnamed = others.length === 0 ? only?.alias : undefined;
  const bind = (on: readonly Equality[], allowed?: string) => {
    for (const { left = unnamed, right } of on) {
      const isBound = right === "value" || bound.get(right) === true;
      if (left !== undefined && bound.has(left) && isBound && (allowed ?? left) === left)
        bound.set(left, true);
    }
  };
  // Again for each table: a join may name one that a later condition binds.
  for (const _ of own) {
    bind(equalities(query.where));
    for (const join of joins) {
      const [joined] = tablesOf(join);
      bind(equalities(join.on), join.joinType === "InnerJoin" ? undefined : joined?.alias);
    }
  }
  for (const { name, alias } of own) if (bound.get(alias) !== true) throw unbound(name);
  return bound;
}

interface Table {
  readonly name: string;
  readonly alias: string;
}

/** The tables with an organization that a FROM, a join or the like names. Subqueries in it are checked on their own. */
function tablesOf(node: AnyNode): Table[] {
  switch (node.kind) {
    case "TableNode": {
      const name = nameOf(node.table);
      return scopedNames.has(name) ? [{ name, alias: name }] : [];
    }
    case "AliasNode": {
      const alias = nameOf(node.alias);
      return nodes(node.node)
        .flatMap(tablesOf)
        .map(({ name }) => ({ name, alias }));
    }
    case "FromNode":
      return nodes(node.froms).flatMap(tablesOf);
    case "UsingNode":
      return nodes(node.tables).flatMap(tablesOf);
    case "ListNode":
      return nodes(node.items).flatMap(tablesOf);
    case "JoinNode":
      return nodes(node.table).flatMap(tablesOf);
    default:
      return [];
  }
}

/** `left.org_id = right.org_id`, or a value on the right. Without `left` the condition names no table. */
interface Equality {
  readonly left: string | undefined;
  readonly right: string;
}

/** The conditions on `org_id` that every row meets. A side of an OR is not one. */
function equalities(condition: unknown): Equality[] {
  if (!isNode(condition)) return [];
  switch (condition.kind) {
    case "WhereNode":
      return equalities(condition.where);
    case "OnNode":
      return equalities(condition.on);
    case "ParensNode":
      return equalities(condition.node);
    case "AndNode":
      return [...equalities(condition.left), ...equalities(condition.right)];
    case "BinaryOperationNode":
      return equality(condition);
    default:
      return [];
  }
}

function equality({ leftOperand, operator, rightOperand }: AnyNode): Equality[] {
  const left = organizationColumn(leftOperand);
  const right = organizationColumn(rightOperand);
  const isEqual = isNode(operator) && operator.operator === "=";
  const isIn = isNode(operator) && operator.operator === "in";
  if (left === undefined) return [];
  const isValue = isNode(rightOperand) && valueKinds.has(rightOperand.kind);
  if (isValue && (isEqual || isIn)) return [{ left: left.table, right: "value" }];
  if (!isEqual || right?.table === undefined || left.table === undefined) return [];
  return [
    { left: left.table, right: right.table },
    { left: right.table, right: left.table },
  ];
}

const valueKinds: ReadonlySet<string> = new Set(["ValueNode", "PrimitiveValueListNode"]);

function organizationColumn(node: unknown): { readonly table: string | undefined } | undefined {
  if (!isNode(node) || node.kind !== "ReferenceNode") return undefined;
  const { column, table } = node;
  if (!isNode(column) || column.kind !== "ColumnNode" || nameOf(column.column) !== "org_id") return undefined;
  return { table: isNode(table) ? nameOf(table.table) : undefined };
}

function checkInsert({ into, columns, onConflict }: AnyNode): void {
  const [table] = nodes(into).flatMap(tablesOf);
  if (table === undefined) return;
  if (!hasOrganization(columns)) throw unbound(table.name);
  const isUpdating = isNode(onConflict) && onConflict.updates !== undefined;
  if (isUpdating && !hasOrganization(onConflict.columns)) throw unbound(table.name);
}

function hasOrganization(columns: unknown): boolean {
  return nodes(columns).some(({ column }) => nameOf(column) === "org_id");
}

function checkRaw({ sqlFragments, parameters }: AnyNode): void {
  const [table] = nodes(parameters).flatMap(tablesOf);
  const name = table?.name ?? inRawSql.exec((sqlFragments as readonly string[]).join(" "))?.[1];
  if (name !== undefined) throw unbound(name);
}

function unbound(table: string): Error {
  return new Error(
    `A query of "${table}" does not bind org_id. Bind it, or use acrossOrganizations() if it is for all of them.`,
  );
}

function nodes(value: unknown): AnyNode[] {
  return Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [];
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && "kind" in value;
}

function nameOf(node: unknown): string {
  if (!isNode(node)) return "";
  return typeof node.name === "string" ? node.name : nameOf(node.identifier);
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
