// Imports price lists of suppliers as CSV.
import { parse } from "csv-parse/sync";
import Fastify from "fastify";

function listing(number) {
  const lines = Array.from({ length: 800 }, (_, i) => `S${(number + i) % 5000},${(i * 37 + number) % 90_000},${1 + (i % 12)},a note about ${i}`);
  return `sku,cents,minimum,note\n${lines.join("\n")}`;
}

const lists = Array.from({ length: 20 }, (_, number) => listing(number));
const prices = new Map();

function merge(rows) {
  let lowered = 0;
  for (const { sku, cents, minimum } of rows) {
    const before = prices.get(sku);
    const price = { cents: Number(cents), minimum: Number(minimum) };
    if (before !== undefined && price.cents < before.cents) lowered++;
    prices.set(sku, price);
  }
  return lowered;
}

const app = Fastify();
app.get("/imports/:number", async (request) => {
  const rows = parse(lists[Number(request.params.number) % 20], { columns: true });
  return { prices: prices.size, lowered: merge(rows) };
});
await app.listen({ host: "127.0.0.1", port: Number(process.env.PORT) });
