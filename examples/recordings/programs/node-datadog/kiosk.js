// Kiosk sends its profiles with Datadog's library for Node, as to its agent.
const tracer = require("dd-trace");

tracer.init({
  profiling: true,
  service: "kiosk",
  env: "test",
  version: "1.2.3",
  tags: { region: "eu" },
});

const papers = [];
let letters = 0;

function read(words) {
  for (let i = 0; i < words; i++) letters += "extra extra read all about it".split("a").length;
}

setInterval(() => {
  read(100_000);
  if (papers.length < 300) papers.push(new Array(4096).fill(letters));
}, 20);
