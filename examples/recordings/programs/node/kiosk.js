// Sends CPU, wall and heap profiles with Pyroscope's SDK for Node. MODE is "cpu" or "wall".
import Pyroscope from "@pyroscope/nodejs";

Pyroscope.init({
  serverAddress: process.env.ADDRESS,
  appName: "kiosk",
  flushIntervalMs: 5000,
  tags: { region: "eu", version: "1.2.3" },
  wall: { samplingDurationMs: 5000, collectCpuTime: process.env.MODE === "cpu" },
});
if (process.env.MODE === "wall") Pyroscope.startWallProfiling();
else Pyroscope.startCpuProfiling();
Pyroscope.startHeapProfiling();

const papers = [];

function countWords(text) {
  return text.split(" ").reduce((sum, word) => sum + word.length, 0);
}

class Kiosk {
  #sold = 0;

  sell() {
    Pyroscope.wrapWithLabels({ item: "paper" }, () => {
      for (let i = 0; i < 20_000; i++) this.#sold += countWords("extra extra read all about it");
    });
    if (papers.length < 200) papers.push(Array.from({ length: 1000 }, (_, page) => ({ page })));
  }
}

const kiosk = new Kiosk();
setInterval(() => kiosk.sell(), 20);
