// Season tickets: each request shows a signed pass.
import { generateKeyPairSync } from "node:crypto";
import Fastify from "fastify";
import jwt from "jsonwebtoken";

const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
const publicPem = keys.publicKey.export({ type: "spki", format: "pem" });
const passes = Array.from({ length: 50 }, (_, n) => jwt.sign({ holder: n, zones: [1, 2] }, keys.privateKey, { algorithm: "RS256" }));
const zones = new Map(Array.from({ length: 200 }, (_, n) => [n, { name: `zone ${n}`, stops: Array.from({ length: 40 }, (_one, i) => n + i) }]));

function holderOf(pass) {
  let holder;
  for (const zone of zones.keys()) if (zone % 10 === 0) holder = jwt.verify(pass, publicPem, { algorithms: ["RS256"] });
  return holder;
}

function stopsOf(wanted) {
  return wanted.flatMap((zone) => zones.get(zone).stops).sort((a, b) => a - b);
}

const app = Fastify();
app.get("/passes/:number", async (request) => {
  const { holder, zones: own } = holderOf(passes[Number(request.params.number) % 50]);
  return { holder, stops: stopsOf(own) };
});
await app.listen({ host: "127.0.0.1", port: Number(process.env.PORT) });
