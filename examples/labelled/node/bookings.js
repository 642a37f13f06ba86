// Accepts bookings that match a schema.
import Ajv from "ajv";
import Fastify from "fastify";

const schema = {
  type: "object",
  required: ["guest", "nights", "room"],
  properties: {
    guest: { type: "object", properties: { name: { type: "string" }, age: { type: "integer", minimum: 0 } } },
    nights: { type: "integer", minimum: 1 },
    room: { enum: ["single", "double"] },
    extras: { type: "array", items: { type: "object", properties: { kind: { type: "string" } } } },
  },
};
const bookings = [];

function accept(booking) {
  const ajv = new Ajv({ allErrors: true });
  const validate = ajv.compile(schema);
  if (!validate(booking)) throw new Error(ajv.errorsText(validate.errors));
  bookings.push(booking);
  if (bookings.length > 1000) bookings.shift();
}

function occupancy() {
  const nights = { single: 0, double: 0 };
  for (const booking of bookings) nights[booking.room] += booking.nights;
  return nights;
}

const app = Fastify();
app.get("/bookings/:number", async (request) => {
  const number = Number(request.params.number);
  const extras = Array.from({ length: number % 5 }, (_, i) => ({ kind: `extra ${i}` }));
  accept({ guest: { name: "Ann", age: 40 }, nights: 1 + (number % 9), room: number % 2 ? "single" : "double", extras });
  return { booked: number, occupancy: occupancy() };
});
await app.listen({ host: "127.0.0.1", port: Number(process.env.PORT) });
