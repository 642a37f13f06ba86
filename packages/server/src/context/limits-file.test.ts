import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { temporaryFolder } from "#store/testing/backends.ts";
import { readConfig } from "./config.ts";
import { ConfigError } from "./environment.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

const path = join(folder.path, "limits.json");
const orgId = "b2c1f0de-93a4-4e7b-8a56-51d0c7e4f982";

function problemsOf(text: string, env: Readonly<Record<string, string>> = {}): readonly string[] {
  writeFileSync(path, text);
  try {
    readConfig({ ...env, LIMITS_FILE: path });
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

const ofOne = (limits: string) => `{ "organizations": { "${orgId}": ${limits} } }`;

it("has limits by organization, and the price of storage", () => {
  const price = { per_gb_month: 0.08, currency: "EUR" };
  writeFileSync(
    path,
    JSON.stringify({ organizations: { [orgId]: { stored_bytes: 1e9, services: 0 } }, storage_price: price }),
  );
  const { limitsFile } = readConfig({ LIMITS_FILE: path });
  expect(limitsFile.organizations.get(orgId)).toEqual({ stored_bytes: 1e9, services: 0 });
  expect(limitsFile.storagePrice).toEqual(price);
  expect(readConfig({}).limitsFile.organizations.size).toBe(0);
});

it("takes ids in capitals", () => {
  writeFileSync(path, ofOne('{ "services": 3 }').replace(orgId, orgId.toUpperCase()));
  expect(readConfig({ LIMITS_FILE: path }).limitsFile.organizations.get(orgId)).toEqual({ services: 3 });
});

const bytesRule = "must be a whole number from 0 to 9007199254740991";

it.each<[string, string, RegExp]>([
  ["no JSON", "{", /is not JSON/],
  ["a number without an end", ofOne('{ "stored_bytes": NaN }'), /is not JSON/],
  ["a huge number", ofOne('{ "stored_bytes": 1e300 }'), new RegExp(`stored_bytes ${bytesRule}`)],
  ["a number beyond all", ofOne('{ "stored_bytes": 1e999 }'), new RegExp(`stored_bytes ${bytesRule}`)],
  ["a negative number", ofOne('{ "services": -1 }'), /services must be a whole number from 0 to 1000000/],
  ["a fraction", ofOne('{ "uploads_per_minute": 0.5 }'), /uploads_per_minute must be a whole number/],
  ["a text", ofOne('{ "services": "5" }'), /services must be a whole number/],
  ["no days", ofOne('{ "retention_days": 0 }'), /retention_days must be a whole number from 1/],
  [
    "too many days",
    ofOne('{ "retention_days": 31 }'),
    /retention_days must be at most RETENTION_DAYS \(30\)/,
  ],
  ["an unknown limit", ofOne('{ "bytes": 1 }'), /"bytes"/],
  ["a name in place of an id", '{ "organizations": { "shop": {} } }', /ids of organizations/],
  ["a list", "[]", /expected object/],
  ["a price below zero", '{ "storage_price": { "per_gb_month": -1, "currency": "EUR" } }', /from 0 to/],
  ["an unknown currency", '{ "storage_price": { "per_gb_month": 1, "currency": "€" } }', /such as EUR/],
])("is refused with %s, by a sentence that names the file and the place", (_, text, expected) => {
  const problems = problemsOf(text);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(expected);
  expect(problems[0]).toContain(`LIMITS_FILE ${path}`);
});

it("names a file that is not there", () => {
  expect(() => readConfig({ LIMITS_FILE: `${path}.none` })).toThrow(
    /LIMITS_FILE .*limits\.json\.none cannot be read/,
  );
});
