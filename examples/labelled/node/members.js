// Who of a mailing's addresses may be written to.
import { createHash } from "node:crypto";
import Router from "@koa/router";
import Koa from "koa";

const person = (n) => `person${n}@example.org`;
const unsubscribed = Array.from({ length: 1500 }, (_, n) => person(n * 3));
const segments = Array.from({ length: 40 }, (_, s) => Array.from({ length: 600 }, (_one, n) => person(s * 50 + n)));

function allowed(addresses) {
  return addresses.filter((address) => !unsubscribed.includes(address.toLowerCase()));
}

function batches(addresses) {
  const counts = {};
  for (const address of addresses) {
    const key = createHash("sha1").update(address).digest("hex")[0];
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

const router = new Router();
router.get("/mailings/:number", (ctx) => {
  const addresses = allowed(segments[Number(ctx.params.number) % 40]);
  ctx.body = { recipients: addresses.length, batches: batches(addresses) };
});
new Koa().use(router.routes()).listen(Number(process.env.PORT), "127.0.0.1");
