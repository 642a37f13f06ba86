import { describe, expect, it } from "vitest";
import { openRowStore } from "#store/row/row-store.ts";
import { quietLog, rowBackends } from "#store/testing/backends.ts";
import { checkSharedSecret } from "./auth-secret.ts";

const backends = await rowBackends();
const [first, second, third] = ["a", "b", "c"].map((letter) => letter.repeat(32)) as [string, string, string];

describe.each(backends)("the secret of servers that share $name", (backend) => {
  it("is one: another is refused, unless it replaces the present one", async () => {
    const place = await backend.create();
    const rows = await openRowStore(place.config, quietLog);
    await checkSharedSecret(rows, first, undefined);
    await checkSharedSecret(rows, first, undefined);
    await expect(checkSharedSecret(rows, second, undefined)).rejects.toThrow(
      /^AUTH_SECRET is another one.*Set the same/,
    );
    await expect(checkSharedSecret(rows, second, third)).rejects.toThrow("AUTH_SECRET is another one");
    await checkSharedSecret(rows, second, first);
    // The other servers still have the former one for a while, and must not start again with it.
    await expect(checkSharedSecret(rows, first, undefined)).rejects.toThrow("AUTH_SECRET is another one");
    await checkSharedSecret(rows, second, undefined);
    const [noted] = await rows.selectFrom("installationFacts").selectAll().execute();
    expect(noted?.value).not.toContain(second);
    await rows.destroy();
    await place.remove();
  });
});
