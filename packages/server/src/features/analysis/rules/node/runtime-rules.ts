import { avoidable, neverNeeded } from "#rules/frame-rule.ts";
import { anyOf, except, inFiles } from "#rules/match.ts";
import { consoles, loading, loggers, nodeRule } from "./libraries.ts";

/** Node: what the program asks of its runtime, its libraries and other programs. */
export const nodeRuntimeRules = [
  nodeRule({
    id: "node-sync-calls",
    name: "Files and processes that block all requests",
    looksAt: "Time in the functions of fs, child_process and zlib that end with Sync.",
    except: anyOf(loading, loggers, consoles),
    frames: inFiles(
      "node:fs#*Sync",
      "node:child_process#*Sync",
      "node:zlib#*Sync zlibBufferSync processChunkSync",
    ),
    from: { low: 0.02, medium: 0.08, high: 0.25 },
    confidence: 0.95,
    saves: 0.8,
    does: "in synchronous calls",
    remedy: "use the asynchronous ones",
    impact: "While a synchronous call runs or waits for the disk, the process answers nobody else.",
    solution:
      "use node:fs/promises, execFile and the callbacks of zlib, read files once and keep them, and stream large ones.",
    example: `const { readFile } = require("node:fs/promises");

const files = new Map();

function file(path) {
  // The promise is kept: concurrent requests read the file once.
  if (!files.has(path)) files.set(path, readFile(path, "utf8"));
  return files.get(path);
}
`,
  }),
  nodeRule({
    id: "node-sync-crypto",
    name: "Key derivation that blocks all requests",
    looksAt: "Time in pbkdf2Sync, scryptSync, generateKeyPairSync and bcrypt's synchronous functions.",
    frames: inFiles("node:internal/crypto/#*Sync", "node_modules/bcrypt/#*Sync", "node_modules/bcryptjs/"),
    from: { low: 0.02, medium: 0.08, high: 0.25 },
    confidence: 0.95,
    saves: 0.7,
    does: "deriving keys synchronously",
    remedy: "use the asynchronous ones",
    impact: "Deriving a key takes tens of milliseconds on purpose, in which the process answers nobody else.",
    solution:
      "use the asynchronous function, which runs in another thread, and check a session instead of the password at each request.",
    example: `const { scrypt } = require("node:crypto");
const { promisify } = require("node:util");

const derive = promisify(scrypt);

async function hash(password, salt) {
  return (await derive(password, salt, 64)).toString("hex");
}
`,
  }),
  nodeRule({
    id: "node-logging",
    name: "Logging in hot code",
    looksAt: "CPU in console, winston, pino, bunyan and similar packages below application code.",
    frames: anyOf(loggers, inFiles("node:internal/console/")),
    saves: 0.7,
    does: "writing log lines",
    remedy: "log less, or in another thread",
    impact: "console formats every object with util.inspect and writes to terminals and files synchronously.",
    solution:
      "move lines of single items to debug level, log fields instead of whole objects, and use a logger that writes in a worker thread (pino with a transport).",
    example: `const pino = require("pino");

const log = pino(pino.transport({ target: "pino/file" }));

function sold(order) {
  log.info({ order: order.id, lines: order.lines.length }, "sold");
}
`,
  }),
  nodeRule({
    id: "node-inspect",
    name: "Objects formatted for people",
    looksAt: "CPU in util.inspect and util.format below application code.",
    frames: inFiles("node:internal/util/inspect"),
    except: anyOf(loading, loggers, consoles),
    yieldsTo: ["node-logging"],
    from: avoidable,
    saves: 0.8,
    does: "formatting objects",
    remedy: "write the fields that matter",
    impact: "util.inspect reads the constructor and all properties of each object, sorts and wraps them.",
    solution:
      "write the few fields that matter with a template string, and use JSON.stringify where a machine reads the text.",
    example: `function textOf(order) {
  return \`order \${order.id} with \${order.lines.length} lines\`;
}
`,
  }),
  nodeRule({
    id: "node-exceptions",
    name: "Exceptions as control flow",
    looksAt: "CPU in making stack traces below application code.",
    frames: anyOf(
      inFiles(
        "node:internal/errors",
        "#captureStackTrace prepareStackTrace",
        "node_modules/source-map-support/",
        "node_modules/stack-trace/",
        "node_modules/callsites/",
      ),
      (name) => name === ":get stack:0" || name === "get stack",
    ),
    except: inFiles("node:internal/modules/", "node:internal/bootstrap/", "node:fs", "node:net"),
    from: avoidable,
    confidence: 0.85,
    saves: 0.9,
    does: "making stack traces",
    remedy: "do not throw what is expected",
    impact:
      "An error walks the stack when it is made, and formats it when its stack is read; source maps make that slower.",
    solution:
      "return a result for what is expected, read error.stack only where it is logged, and lower Error.stackTraceLimit.",
    example: `function parsed(text) {
  const value = Number(text);
  return Number.isNaN(value) ? { ok: false } : { ok: true, value };
}
`,
  }),
  nodeRule({
    id: "node-queries",
    name: "Many database queries",
    looksAt: "CPU in drivers of databases and in object mappers below application code.",
    frames: inFiles(
      ...[
        "pg",
        "pg-protocol",
        "mysql",
        "mysql2",
        "mongodb",
        "mongoose",
        "sequelize",
        "typeorm",
        "knex",
        "@prisma",
        "ioredis",
        "redis",
        "better-sqlite3",
        "sqlite3",
        "mssql",
        "tedious",
        "cassandra-driver",
      ].map((each) => `node_modules/${each}/`),
      "node:sqlite",
    ),
    confidence: 0.6,
    saves: 0.5,
    does: "on database queries",
    remedy: "ask once for all rows",
    impact:
      "A query for each item of a list (N+1) also waits for the network each time, which CPU time does not show.",
    solution:
      "ask for all rows of a list at once (IN or ANY), load relations with the list (include, populate), prepare statements once, and keep rows that rarely change.",
    example: `async function names(pool, ids) {
  const { rows } = await pool.query("SELECT id, name FROM items WHERE id = ANY($1)", [ids]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
`,
  }),
  nodeRule({
    id: "node-template-compile",
    name: "Templates compiled while serving",
    looksAt: "CPU in the compilers of handlebars, pug, ejs, nunjucks and lodash templates.",
    // A compiled template of Handlebars is called through a function of the compiler's file.
    frames: except(
      inFiles(
        "handlebars/dist/cjs/handlebars/compiler/",
        "@handlebars/parser/",
        "node_modules/pug-",
        "node_modules/ejs/#compile generateSource",
        "nunjucks/src/compiler",
        "nunjucks/src/parser",
        "node_modules/lodash/#template",
      ),
      inFiles("handlebars/dist/cjs/handlebars/compiler/compiler.js#ret"),
    ),
    from: neverNeeded,
    confidence: 0.9,
    saves: 0.9,
    does: "compiling templates",
    remedy: "compile them once",
    impact: "A compiled template is a function that can be used for every request.",
    solution: "compile at the top of the module, and turn the cache of the engine on (NODE_ENV=production).",
    example: `const Handlebars = require("handlebars");
const { readFileSync } = require("node:fs");

const page = Handlebars.compile(readFileSync("rows.hbs", "utf8"));

function render(rows) {
  return page({ rows });
}
`,
  }),
] as const;
