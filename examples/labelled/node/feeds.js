// Feeds of events of the last hours.
import Fastify from "fastify";

const events = Array.from({ length: 4000 }, (_, n) => ({
  id: n,
  kind: ["open", "close", "move"][n % 3],
  at: 1_760_000_000 + n * 5,
}));

function openEvents(selected) {
  return selected.reduce((kept, event) => (event.kind === "move" ? kept : [...kept, { ...event, age: event.at % 3600 }]), []);
}

function perMinute(selected) {
  const counts = new Map();
  for (const { at } of selected) counts.set(Math.floor(at / 60), (counts.get(Math.floor(at / 60)) ?? 0) + 1);
  return Object.fromEntries(counts);
}

const app = Fastify();
app.get("/feeds/:number", async (request) => {
  const first = (Number(request.params.number) * 17) % 1500;
  const selected = events.slice(first, first + 2400);
  return { events: openEvents(selected), perMinute: perMinute(selected) };
});
await app.listen({ host: "127.0.0.1", port: Number(process.env.PORT) });
