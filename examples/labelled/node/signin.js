// Devices report their state; each request carries the secret of its device.
import { pbkdf2Sync, timingSafeEqual } from "node:crypto";
import Fastify from "fastify";

const digest = (secret) => pbkdf2Sync(secret, "devices-of-the-house", 12_000, 32, "sha256");
const devices = new Map(Array.from({ length: 20 }, (_, n) => [`d${n}`, digest(`secret-${n}`)]));
const states = new Map();

function isKnown({ device, secret }) {
  const expected = devices.get(device);
  return expected !== undefined && timingSafeEqual(expected, digest(secret));
}

function keepState(device, number) {
  const history = states.get(device) ?? [];
  history.push({ number, level: number % 100 });
  states.set(device, history.slice(-400));
  const mean = history.reduce((sum, { level }) => sum + level, 0) / history.length;
  const spread = history.reduce((sum, { level }) => sum + (level - mean) ** 2, 0) / history.length;
  return { mean, spread, last: history.slice(-20) };
}

const app = Fastify();
app.addHook("onRequest", async (request, reply) => {
  if (!isKnown(request.query)) return reply.code(401).send({ error: "unknown device" });
});
app.get("/states/:number", async (request) => keepState(request.query.device, Number(request.params.number)));
await app.listen({ host: "127.0.0.1", port: Number(process.env.PORT) });
