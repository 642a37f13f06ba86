// Baskets of a shop; each starts from the defaults of its country.
import Fastify from "fastify";

const range = (length) => Array.from({ length }, (_, i) => i);
const defaults = Object.fromEntries(
  ["de", "fr", "it", "es"].map((country) => [
    country,
    {
      currency: "EUR",
      shipping: range(30).map((i) => ({ carrier: `c${i}`, zones: range(20).map((z) => ({ z, price: z * 1.5 + i })) })),
      taxes: range(60).map((i) => ({ name: `class-${i}`, rate: i / 100 })),
      lines: [],
    },
  ]),
);
const baskets = new Map();

function newBasket(country) {
  return JSON.parse(JSON.stringify(defaults[country]));
}

function totalOf({ lines, taxes, shipping }) {
  const goods = lines.reduce((sum, line) => sum + line.price * line.count * (1 + taxes[line.taxClass].rate), 0);
  return goods + Math.min(...shipping.map(({ zones }) => zones[3].price));
}

const app = Fastify();
app.get("/baskets/:number", async (request) => {
  const number = Number(request.params.number);
  const basket = newBasket(["de", "fr", "it", "es"][number % 4]);
  for (const i of range(40)) basket.lines.push({ sku: i, price: 1.5 * i, count: 1 + (number % 3), taxClass: i });
  baskets.set(number % 500, basket);
  return { basket: number, total: totalOf(basket) };
});
await app.listen({ host: "127.0.0.1", port: Number(process.env.PORT) });
