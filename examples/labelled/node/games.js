// Moves of games; every step keeps the state before it.
import Hapi from "@hapi/hapi";
import _ from "lodash";

const start = {
  board: Array.from({ length: 12 }, (_row, y) => Array.from({ length: 12 }, (_cell, x) => ({ x, y, piece: (x + y) % 5 }))),
  players: [{ name: "Ann", points: 0 }, { name: "Bo", points: 0 }],
};

function move(state, step) {
  const next = _.cloneDeep(state);
  const cell = next.board[(step * 5) % 12][(step * 7) % 12];
  next.players[step % 2].points += cell.piece;
  cell.piece = (cell.piece + 1) % 5;
  return next;
}

function play(steps, offset) {
  const states = [start];
  for (let step = 0; step < steps; step++) states.push(move(states.at(-1), step + offset));
  return states;
}

const server = Hapi.server({ host: "127.0.0.1", port: Number(process.env.PORT) });
server.route({
  method: "GET",
  path: "/games/{number}",
  handler: (request) => {
    const states = play(30, Number(request.params.number));
    const lead = states.map(({ players: [a, b] }) => a.points - b.points);
    return { steps: states.length, lead, board: states.at(-1).board };
  },
});
await server.start();
