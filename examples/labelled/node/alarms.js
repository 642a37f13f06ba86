// Alarms of a building; each request subscribes to them.
import { EventEmitter } from "node:events";
import { createServer } from "node:http";

const building = new EventEmitter();
building.setMaxListeners(0);
const states = new Map();

function subscribe(visitor) {
  building.on("alarm", (alarm) => states.set(visitor % 100, alarm.floor));
}

function raise(number) {
  for (let floor = 0; floor < 3; floor++) building.emit("alarm", { floor, number });
}

function report() {
  return [...states].map(([visitor, floor]) => ({ visitor, floor, text: `visitor ${visitor} sees floor ${floor}` }));
}

createServer((request, response) => {
  const number = Number(request.url.split("/")[2]);
  if (building.listenerCount("alarm") < 4000) subscribe(number);
  raise(number);
  response.end(JSON.stringify(report()));
}).listen(Number(process.env.PORT), "127.0.0.1");
