// Takes uploads in small parts and answers their checksum.
import { createHash } from "node:crypto";
import { createServer } from "node:http";

const part = Buffer.alloc(4096, "part of an upload ");

async function* partsOf(number) {
  for (let i = 0; i < 100 + (number % 50); i++) yield part;
}

async function assembled(parts) {
  let body = Buffer.alloc(0);
  for await (const one of parts) body = Buffer.concat([body, one]);
  return body;
}

async function answer(request, response) {
  const number = Number(request.url.split("/")[2]);
  const body = await assembled(partsOf(number));
  const checksum = createHash("sha256").update(body).digest("hex");
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ bytes: body.length, checksum }));
}

createServer(answer).listen(Number(process.env.PORT), "127.0.0.1");
