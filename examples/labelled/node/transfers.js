// Transfers between accounts, with an audit trail.
import Fastify from "fastify";

const accounts = Array.from({ length: 500 }, (_, n) => ({ id: n, cents: 100_000 }));
const trail = [];

function audit(text) {
  const caller = new Error().stack.split("\n")[2].trim();
  trail.push(`${caller}: ${text}`);
  if (trail.length > 5000) trail.length = 0;
}

function transfer(from, to, cents) {
  accounts[from].cents -= cents;
  accounts[to].cents += cents;
  audit(`${cents} from ${from} to ${to}`);
}

const app = Fastify();
app.get("/transfers/:number", async (request) => {
  const number = Number(request.params.number);
  for (let i = 0; i < 60; i++) transfer((number + i) % 500, (number * 3 + i) % 500, i);
  const sorted = [...accounts].sort((a, b) => b.cents - a.cents);
  return { richest: sorted.slice(0, 5), audited: trail.length };
});
await app.listen({ host: "127.0.0.1", port: Number(process.env.PORT) });
