import { expect, it } from "vitest";
import { secretNames } from "./environment.ts";
import { settingGroups, Variables } from "./settings.ts";

const page = new URL("../../../../docs/operate/settings.md", import.meta.url);

const begin = `# Settings

Settings are environment variables. All have defaults, except secrets. With invalid settings, the server exits with one line for each
problem. Variables marked * also exist as a file, \`AUTH_SECRET_FILE=/run/secrets/auth\`.
`;

type Name = keyof typeof Variables.shape;

function rowOf(name: Name): string {
  const setting = Variables.shape[name];
  const { description, shown = setting.safeParse(undefined).data ?? "" } = setting.meta() ?? {};
  const star = secretNames.some((secret) => secret === name) ? " *" : "";
  return `| \`${name}\`${star} | ${shown} | ${description} |`;
}

/** To write the page again: `npm test -- packages/server/src/context/settings.test.ts -u`. */
it("the page of the settings has every setting with its default and meaning", async () => {
  const groups = Object.entries(settingGroups).map(([title, settings]) =>
    [`## ${title}`, "", "| variable | default | meaning |", "|---|---|---|"]
      .concat(
        Object.keys(settings).map((name) => rowOf(name as Name)),
        "",
      )
      .join("\n"),
  );
  const text = [begin, ...groups].join("\n");
  for (const name of Object.keys(Variables.shape)) expect(text).toContain(`| \`${name}\``);
  expect(text).not.toMatch(/undefined|\[object/);
  await expect(text).toMatchFileSnapshot(page.pathname);
});
