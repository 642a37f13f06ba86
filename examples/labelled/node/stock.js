// Stock of warehouses in SQLite.
import Database from "better-sqlite3";
import express from "express";

const db = new Database(":memory:");
db.exec(`
  CREATE TABLE item (id INTEGER PRIMARY KEY, warehouse INTEGER, supplier INTEGER, count INTEGER);
  CREATE INDEX of_warehouse ON item (warehouse);
  CREATE TABLE supplier (id INTEGER PRIMARY KEY, name TEXT, days INTEGER);
`);
const addItem = db.prepare("INSERT INTO item VALUES (?, ?, ?, ?)");
const addSupplier = db.prepare("INSERT INTO supplier VALUES (?, ?, ?)");
db.transaction(() => {
  for (let n = 0; n < 20_000; n++) addItem.run(n, n % 40, n % 300, n % 23);
  for (let n = 0; n < 300; n++) addSupplier.run(n, `supplier ${n}`, n % 9);
})();
const itemsOf = db.prepare("SELECT id, supplier, count FROM item WHERE warehouse = ? AND count < 20");
const supplier = db.prepare("SELECT name, days FROM supplier WHERE id = ?");

function lowItems(warehouse) {
  return itemsOf.all(warehouse).map((item) => ({ ...item, from: supplier.get(item.supplier) }));
}

function byDelay(items) {
  const groups = Map.groupBy(items, (item) => item.from.days);
  return [...groups].sort(([a], [b]) => a - b).map(([days, of]) => ({ days, items: of.length }));
}

const app = express();
app.get("/warehouses/:number/low", (request, response) => {
  const items = lowItems(Number(request.params.number) % 40);
  response.json({ items: items.slice(0, 20), byDelay: byDelay(items) });
});
app.listen(Number(process.env.PORT), "127.0.0.1");
