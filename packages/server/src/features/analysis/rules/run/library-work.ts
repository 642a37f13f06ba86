import { packageOfFile } from "@flamekeep/profile";
import { ownName } from "#rules/match.ts";
import type { Selection } from "#rules/selection.ts";
import type { StackIndex } from "#rules/stack-index.ts";

/** Work of libraries that services call again and again. */
interface Work {
  /** In a sentence: `validation by a schema`. */
  readonly kind: string;
  readonly remedy: string;
  /** Packages of npm and PyPI, and modules of Node and Python. */
  readonly libraries: readonly string[];
}

const works: readonly Work[] = [
  {
    kind: "validation by a schema",
    remedy: "build the schema once, and check each value once",
    libraries: [
      ..."ajv joi yup zod superstruct valibot class-validator express-validator jsonschema".split(" "),
      ..."marshmallow pydantic pydantic_core voluptuous cerberus fastjsonschema attr trafaret".split(" "),
    ],
  },
  {
    kind: "parsing HTML or XML",
    remedy: "parse it once, or only the part that is read",
    libraries: [
      ..."cheerio jsdom parse5 htmlparser2 sanitize-html node-html-parser xml2js fast-xml-parser".split(" "),
      ..."bs4 html html5lib lxml bleach xmltodict xml".split(" "),
    ],
  },
  {
    kind: "rendering Markdown and highlighted text",
    remedy: "render it once and keep the result",
    libraries: [
      ..."marked markdown-it remark showdown micromark highlight.js prismjs shiki katex".split(" "),
      ..."markdown mistune commonmark docutils pygments".split(" "),
    ],
  },
  {
    kind: "rendering templates",
    remedy: "keep compiled templates and pages that do not change",
    libraries: [
      ..."handlebars pug ejs nunjucks mustache eta liquidjs react-dom".split(" "),
      ..."jinja2 mako chameleon".split(" "),
    ],
  },
  {
    kind: "dates and time zones",
    remedy: "convert once, and keep what comes again",
    libraries:
      "moment moment-timezone dayjs luxon date-fns dateutil pytz arrow pendulum _strptime zoneinfo".split(
        " ",
      ),
  },
  {
    kind: "formatting by locale",
    remedy: "make formatters and patterns once",
    libraries: "globalize numeral i18next intl-messageformat @formatjs babel gettext locale".split(" "),
  },
  {
    kind: "signatures and encryption",
    remedy: "prepare keys once, and check each token once",
    libraries: [
      ..."jsonwebtoken jws jwa jose node-forge tweetnacl elliptic openpgp crypto".split(" "),
      ..."jwt cryptography nacl rsa ecdsa Crypto Cryptodome authlib hashlib hmac ssl".split(" "),
    ],
  },
  {
    kind: "copies of immutable state",
    remedy: "change a whole batch in one step",
    libraries: "immer immutable seamless-immutable icepick pyrsistent immutables".split(" "),
  },
  {
    kind: "deep copies",
    remedy: "copy only what changes",
    libraries: "lodash.clonedeep rfdc klona clone deepmerge structuredClone copy dataclasses".split(" "),
  },
  {
    kind: "regular expressions over user agents and paths",
    remedy: "keep the answers for texts that come again",
    libraries:
      "ua-parser-js bowser device-detector-js ua_parser user_agents httpagentparser path-to-regexp".split(
        " ",
      ),
  },
  {
    kind: "tables",
    remedy: "work on whole columns, and build a table once",
    libraries: "pandas polars danfojs arquero exceljs xlsx openpyxl xlsxwriter xlrd".split(" "),
  },
  {
    kind: "arrays of numbers",
    remedy: "convert once, and use operations on whole arrays",
    libraries: "numpy scipy mathjs ndarray".split(" "),
  },
  {
    kind: "exact decimal numbers",
    remedy: "calculate with integers of the smallest unit",
    libraries: "decimal.js bignumber.js big.js decimal _pydecimal fractions".split(" "),
  },
  {
    kind: "images",
    remedy: "make each size once, outside of the request",
    libraries: "jimp sharp pngjs jpeg-js canvas PIL cv2 skimage imageio wand".split(" "),
  },
  {
    kind: "database queries",
    remedy: "ask once for all rows",
    libraries: [
      ..."knex kysely drizzle-orm sequelize typeorm objection mikro-orm @prisma mongoose mongodb".split(" "),
      ..."pg mysql2 better-sqlite3 ioredis redis sqlalchemy django peewee psycopg psycopg2 pymysql pymongo sqlite3".split(
        " ",
      ),
    ],
  },
  {
    kind: "requests to other services",
    remedy: "reuse connections, and ask once for many items",
    libraries: [
      ..."axios got node-fetch undici superagent https @grpc @aws-sdk".split(" "),
      ..."requests httpx urllib3 urllib botocore boto3 grpc".split(" "),
    ],
  },
  {
    kind: "compression",
    remedy: "compress once, at a lower level, or outside of the event loop",
    libraries: "pako fflate zlib jszip archiver gzip bz2 lzma zipfile tarfile brotli zstandard".split(" "),
  },
  {
    kind: "starting processes",
    remedy: "keep one process, or use a library",
    libraries: "child_process execa cross-spawn subprocess multiprocessing".split(" "),
  },
  {
    kind: "inspecting its own code and stack",
    remedy: "do it once and keep the result",
    libraries: "inspect traceback linecache ast typing callsites stack-trace source-map-support".split(" "),
  },
  {
    kind: "JSON",
    remedy: "keep encoded answers and parsed texts that do not change",
    libraries: "json simplejson ujson orjson rapidjson fast-json-stringify fast-json-stable-stringify".split(
      " ",
    ),
  },
  {
    kind: "serialization",
    remedy: "write and read less",
    libraries: "pickle msgpack marshal yaml js-yaml csv csv-parse protobufjs toml tomllib plistlib v8".split(
      " ",
    ),
  },
  {
    kind: "serving requests",
    remedy: "send less, or keep whole answers",
    libraries: [
      ..."express koa @koa fastify @hapi @nestjs restify router http net stream streams".split(" "),
      ..."flask werkzeug waitress gunicorn uvicorn starlette fastapi tornado aiohttp falcon bottle".split(
        " ",
      ),
      ..."asyncio socketserver selectors wsgiref".split(" "),
    ],
  },
  {
    kind: "calling listeners",
    remedy: "check that listeners are removed",
    libraries: "events eventemitter3 rxjs mobx blinker".split(" "),
  },
];

const workOf = new Map(works.flatMap((work) => work.libraries.map((library) => [library, work] as const)));

/** The library that most of the selection's value is in, by the first frame that its callers call. */
export interface LibraryWork {
  readonly library: string;
  /** Undefined for libraries that the table does not have. */
  readonly work: Work | undefined;
}

const shareMin = 0.5;

export function libraryWorkOf(spot: Selection): LibraryWork | undefined {
  const { view, stacks, weight } = spot;
  const ofFunctions = new Map<number, number>();
  stacks.forEach((stack, i) => {
    const called = spot.callerAt(i) - 1;
    if (called < view.index.stacks.start[stack]!) return;
    const fn = view.functionAt(called);
    ofFunctions.set(fn, (ofFunctions.get(fn) ?? 0) + view.weights[stack]!);
  });
  const sums = new Map<string, number>();
  for (const [fn, value] of ofFunctions) {
    const library = libraryOf(view.index, fn);
    if (library !== undefined) sums.set(library, (sums.get(library) ?? 0) + value);
  }
  const [most] = [...sums].sort(([, a], [, b]) => b - a);
  if (most === undefined || most[1] < weight * shareMin) return undefined;
  const [library] = most;
  return { library, work: workOf.get(library) ?? workOf.get(library.split("/")[0]!) };
}

const libraryPlace = /^(?:node:_?|node_modules\/|site-packages\/|python\/)(.+)/;

/**
 * `ajv` of `/srv/node_modules/ajv/dist/core.js`, `zlib` of `node:zlib`, `json` of `json/decoder.py`, and `structuredClone` of that function
 * in `node:internal/worker/js_transferable`.
 */
function libraryOf(index: StackIndex, fn: number): string | undefined {
  const file = index.fileOf(fn);
  // Nobody imports the other internal parts of Node: their functions say what they do.
  const internal = /^node:internal\/(\w+)/.exec(file)?.[1];
  if (internal !== undefined) return workOf.has(internal) ? internal : ownName(index.names[fn]!);
  return libraryPlace.exec(packageOfFile(file))?.[1];
}
