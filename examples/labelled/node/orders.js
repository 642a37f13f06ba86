// Orders of customers, each page with one query.
import Database from "better-sqlite3";
import express from "express";

const db = new Database(":memory:");
db.exec(`
  CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT);
  CREATE TABLE purchase (id INTEGER PRIMARY KEY, customer INTEGER, day INTEGER, cents INTEGER);
  CREATE INDEX of_customer ON purchase (customer, day);
`);
const addCustomer = db.prepare("INSERT INTO customer VALUES (?, ?)");
const addPurchase = db.prepare("INSERT INTO purchase VALUES (?, ?, ?, ?)");
db.transaction(() => {
  for (let n = 0; n < 300; n++) addCustomer.run(n, `customer ${n}`);
  for (let n = 0; n < 60_000; n++) addPurchase.run(n, n % 300, n % 365, (n * 7) % 9000);
})();
const page = db.prepare(`
  SELECT c.name, p.day, count(*) AS orders, sum(p.cents) AS cents, max(p.cents) AS largest
  FROM purchase p JOIN customer c ON c.id = p.customer
  WHERE p.customer BETWEEN ? AND ? GROUP BY c.id, p.day ORDER BY c.id, p.day`);

const app = express();
app.get("/orders/:number", (request, response) => {
  const first = Number(request.params.number) % 290;
  const rows = page.all(first, first + 9);
  response.json({ rows, cents: rows.reduce((sum, { cents }) => sum + cents, 0) });
});
app.listen(Number(process.env.PORT), "127.0.0.1");
