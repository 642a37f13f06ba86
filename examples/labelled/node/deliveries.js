// Deliveries of the day with the customer of each.
import Fastify from "fastify";

const customers = Array.from({ length: 2500 }, (_, n) => ({ id: `C${(n * 7919) % 2500}`, street: `street ${n}`, floor: n % 6 }));
const deliveries = Array.from({ length: 30 }, (_, d) => Array.from({ length: 200 }, (_one, n) => ({ customer: `C${(d * 37 + n * 11) % 2500}`, parcels: 1 + (n % 4) })));

function withCustomers(day) {
  return day.map((delivery) => ({ ...delivery, to: customers.find((customer) => customer.id === delivery.customer) }));
}

function stairs(tour) {
  let sum = 0;
  for (const { parcels, to } of tour) sum += parcels * to.floor;
  return sum;
}

const app = Fastify();
app.get("/deliveries/:number", async (request) => {
  const tour = withCustomers(deliveries[Number(request.params.number) % 30]);
  return { tour, stairs: stairs(tour) };
});
await app.listen({ host: "127.0.0.1", port: Number(process.env.PORT) });
