import { avoidable } from "#rules/frame-rule.ts";
import { anyOf, inFiles } from "#rules/match.ts";
import { consoles, loading, loggers, nodeRule } from "./libraries.ts";

/** Node: values that are written, copied, compared and matched. V8 counts its own functions (JSON, strings, arrays) for the JavaScript that calls them. */
export const nodeValueRules = [
  nodeRule({
    id: "node-serialization",
    name: "Serialization in JavaScript",
    looksAt: "CPU in packages that write JSON, YAML and Protocol Buffers, and in toJSON.",
    frames: inFiles(
      "node_modules/fast-json-stable-stringify/",
      "node_modules/json-stable-stringify/",
      "node_modules/safe-stable-stringify/",
      "node_modules/superjson/",
      "node_modules/flatted/",
      "node_modules/protobufjs/",
      "node_modules/google-protobuf/",
      "node_modules/js-yaml/#dump safeDump",
      "node_modules/yaml/#stringify",
      "node_modules/avsc/",
      "node_modules/class-transformer/",
      "#toJSON stringify",
    ),
    except: anyOf(loading, loggers, consoles),
    saves: 0.5,
    does: "on serialization",
    remedy: "write less, or with a schema",
    impact:
      "A serializer in JavaScript looks at every value; JSON.stringify is faster, and a compiled schema faster still.",
    solution:
      "keep encoded answers that rarely change, send only the fields that are read, and compile a serializer from a schema (fast-json-stringify).",
    example: `const fastJson = require("fast-json-stringify");

const stringify = fastJson({
  type: "object",
  properties: { id: { type: "integer" }, name: { type: "string" } },
});

function render(item) {
  return stringify(item);
}
`,
  }),
  nodeRule({
    id: "node-parsing",
    name: "Parsing in JavaScript",
    looksAt: "CPU in packages that parse XML, HTML, YAML, CSV and JSON5.",
    frames: inFiles(
      "node_modules/json5/",
      "node_modules/js-yaml/#load safeLoad loadAll",
      "node_modules/yaml/#parse parseDocument",
      "node_modules/xml2js/",
      "node_modules/sax/",
      "node_modules/fast-xml-parser/",
      "node_modules/csv-parse/",
      "node_modules/papaparse/",
      "node_modules/parse5/",
      "node_modules/htmlparser2/",
      "node_modules/cheerio/",
      "node_modules/jsdom/",
    ),
    except: anyOf(loading, loggers, consoles),
    // Input has to be parsed: no share of it is a mistake by itself.
    from: { low: 0.05, medium: Number.POSITIVE_INFINITY },
    saves: 0.3,
    does: "parsing texts",
    remedy: "parse only what is read, and what does not change once",
    impact: "A parser in JavaScript makes objects for every node and cell of its text.",
    solution:
      "keep the result of texts that do not change, stop once everything needed is read, and use a streaming parser for large texts.",
    example: `const { load } = require("js-yaml");
const { readFileSync } = require("node:fs");

// Parsed once, when the module is loaded.
const tariffs = load(readFileSync("tariffs.yaml", "utf8"));

function tariff(zone) {
  return tariffs[zone];
}
`,
  }),
  nodeRule({
    id: "node-deep-copy",
    name: "Deep copies",
    looksAt: "CPU in structuredClone and in packages that clone, merge or compare objects deeply.",
    frames: inFiles(
      "node_modules/lodash/#cloneDeep cloneDeepWith baseClone baseMerge merge",
      "node_modules/lodash.clonedeep/",
      "node_modules/lodash.merge/",
      "node_modules/rfdc/",
      "node_modules/clone/",
      "node_modules/klona/",
      "node_modules/deepmerge/",
      "node_modules/immer/",
      "node_modules/deep-clone/",
      "node:internal/structured_clone",
      "node:v8#serialize deserialize",
      "node:internal/worker/js_transferable#structuredClone",
      "#structuredClone",
    ),
    from: avoidable,
    confidence: 0.9,
    saves: 0.9,
    does: "on deep copies",
    remedy: "copy only what changes",
    impact:
      "A deep copy visits and allocates every value below the object. The same holds for JSON.parse(JSON.stringify(value)).",
    solution:
      "copy the changed level with a spread, share what nobody changes (Object.freeze finds who does), and hand over plain values instead of whole trees.",
    example: `function paid(order) {
  // The lines are shared: nobody changes them.
  return { ...order, state: "paid", paidAt: new Date() };
}
`,
  }),
  nodeRule({
    id: "node-deep-comparison",
    name: "Deep comparisons",
    looksAt: "CPU in isDeepStrictEqual, lodash.isEqual and similar packages.",
    frames: inFiles(
      "node:internal/util/comparisons",
      "node_modules/lodash/#isEqual baseIsEqual baseIsEqualDeep",
      "node_modules/fast-deep-equal/",
      "node_modules/deep-equal/",
    ),
    from: avoidable,
    saves: 0.8,
    does: "on deep comparisons",
    remedy: "compare a version",
    impact: "A deep comparison reads both trees to the end when they are equal.",
    solution:
      "compare an id with a version or a hash that changes with the object, or the references of objects that nobody changes.",
    example: `function isSame(before, after) {
  return before.id === after.id && before.version === after.version;
}
`,
  }),
  nodeRule({
    id: "node-regular-expression",
    name: "Hot regular expressions",
    looksAt: "CPU in compiled regular expressions, which V8 names by their pattern.",
    frames: (name) => name.startsWith("RegExp:"),
    // Those of a library are its own.
    except: anyOf(loading, loggers, inFiles("node_modules/")),
    from: { low: 0.05, medium: 0.15, high: 0.5 },
    saves: 0.7,
    does: "in one regular expression",
    remedy: "simplify it",
    impact:
      "V8 tries every way to match: nested repetitions such as (\\w+\\s?)+ take exponentially long on texts that nearly match, and stop all requests.",
    solution:
      "remove nested repetitions, make the parts exclusive, check with includes or startsWith first, and limit the length of the text.",
    example: `const word = /^\\w+$/;

// One pass over the words instead of a pattern with nested repetitions.
function areWords(text) {
  return text.length < 1000 && text.split(" ").every((each) => word.test(each));
}
`,
  }),
  nodeRule({
    id: "node-buffer-copies",
    name: "Buffers copied again and again",
    looksAt: "CPU in Buffer.concat, copy and fill below application code.",
    frames: inFiles("node:buffer#concat copy _copyActual copyImpl fill", "#copy _copyActual"),
    from: avoidable,
    saves: 0.8,
    does: "copying buffers",
    remedy: "join them once",
    impact: "Joining to what was joined before copies everything again for each part.",
    solution:
      "collect the parts in an array and call Buffer.concat once at the end, or pass the parts on as a stream.",
    example: `async function body(stream) {
  const parts = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}
`,
  }),
  nodeRule({
    id: "node-dates",
    name: "Dates and numbers formatted by libraries",
    looksAt: "CPU in moment, luxon, date-fns, dayjs and numeral below application code.",
    frames: inFiles(
      "node_modules/moment/",
      "node_modules/luxon/",
      "node_modules/date-fns/",
      "node_modules/dayjs/",
      "node_modules/numeral/",
      "node_modules/moment-timezone/",
    ),
    from: avoidable,
    saves: 0.8,
    does: "on dates",
    remedy: "keep the formatter",
    impact: "moment parses its format, and makes several objects, for each date.",
    solution:
      "send ISO 8601 (toISOString, Date.parse), keep one Intl.DateTimeFormat for each language, and format in the browser.",
    example: `const day = new Intl.DateTimeFormat("de-DE", { dateStyle: "medium", timeStyle: "short" });

function textOf(date) {
  return day.format(date);
}
`,
  }),
  nodeRule({
    id: "node-reflection",
    name: "Decorators and validation at run time",
    looksAt: "CPU in reflect-metadata, class-validator, joi, yup and similar packages.",
    frames: inFiles(
      "node_modules/reflect-metadata/",
      "node_modules/class-validator/",
      "node_modules/joi/",
      "node_modules/yup/",
      "node_modules/zod/",
      "node_modules/io-ts/",
    ),
    saves: 0.5,
    does: "checking values against schemas",
    remedy: "check once, with a compiled schema",
    impact: "The schema is interpreted for each value; a compiled validator is a plain function.",
    solution:
      "make schemas at the top of the module, check input once at the edge, and compile the hottest schemas (ajv).",
    example: `const Ajv = require("ajv");

const isOrder = new Ajv().compile({
  type: "object",
  required: ["id"],
  properties: { id: { type: "integer" } },
});

function accept(body) {
  if (!isOrder(body)) throw new TypeError("This is no order.");
  return body;
}
`,
  }),
] as const;
