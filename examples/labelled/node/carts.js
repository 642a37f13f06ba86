// Carts of a grocer, kept as immutable states.
import Fastify from "fastify";
import { produce } from "immer";

const goods = Array.from({ length: 300 }, (_, n) => ({ sku: `G${n}`, cents: 50 + ((n * 31) % 900) }));

function filled(number) {
  let cart = { lines: [], totals: { cents: 0, count: 0 } };
  for (let i = 0; i < 120; i++) {
    const { sku, cents } = goods[(number + i * 7) % 300];
    cart = produce(cart, (draft) => {
      draft.lines.push({ sku, cents, count: 1 + (i % 3) });
      draft.totals.cents += cents;
      draft.totals.count++;
    });
  }
  return cart;
}

function discounts({ lines }) {
  return lines.filter(({ count }) => count > 2).map(({ sku, cents }) => ({ sku, off: Math.round(cents * 0.1) }));
}

const app = Fastify();
app.get("/carts/:number", async (request) => {
  const cart = filled(Number(request.params.number));
  return { totals: cart.totals, discounts: discounts(cart) };
});
await app.listen({ host: "127.0.0.1", port: Number(process.env.PORT) });
