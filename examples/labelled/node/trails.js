// In how many ways a hiker can cross a grid of huts.
import Fastify from "fastify";

const closed = new Set(Array.from({ length: 12 }, (_, n) => `${(n * 5) % 9}:${(n * 7) % 9}`));

function ways(x, y) {
  if (x === 0 && y === 0) return 1;
  if (x < 0 || y < 0) return 0;
  return ways(x - 1, y) + ways(x, y - 1);
}

function openHuts(size) {
  const huts = [];
  for (let x = 0; x < size; x++) for (let y = 0; y < size; y++) if (!closed.has(`${x}:${y}`)) huts.push({ x, y });
  return huts;
}

const app = Fastify();
app.get("/trails/:number", async (request) => {
  const number = Number(request.params.number);
  return { ways: ways(7 + (number % 3), 8), huts: openHuts(9) };
});
await app.listen({ host: "127.0.0.1", port: Number(process.env.PORT) });
