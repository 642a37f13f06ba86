import { avoidable, frameRule, neverNeeded } from "#rules/frame-rule.ts";
import { anyOf, functions, inFiles } from "#rules/match.ts";

/** Python: what the program asks of its runtime, its libraries and other programs. */
export const pythonRuntimeRules = [
  frameRule({
    id: "python-logging",
    name: "Logging in hot code",
    looksAt: "CPU in logging, loguru and structlog below application code.",
    frames: inFiles("logging/", "loguru/", "structlog/"),
    saves: 0.7,
    does: "writing log lines",
    remedy: "log less, or in another thread",
    impact: "Each line makes a record, looks up its caller, formats the time and writes with a lock held.",
    solution:
      "move lines of single items to debug level, pass arguments instead of f-strings, log one line for many items, and write through logging.handlers.QueueHandler.",
    example: `import logging
import logging.handlers
import queue

lines: queue.SimpleQueue = queue.SimpleQueue()
logging.getLogger().addHandler(logging.handlers.QueueHandler(lines))
writer = logging.handlers.QueueListener(lines, logging.StreamHandler())
writer.start()
`,
  }),
  frameRule({
    id: "python-reflection",
    name: "Reflection in hot code",
    looksAt: "CPU in inspect, typing.get_type_hints and ast below application code.",
    frames: inFiles(
      "inspect.py",
      "typing.py#get_type_hints",
      "ast.py#parse literal_eval",
      "pkgutil.py",
      "importlib/metadata/",
    ),
    except: inFiles("traceback.py"),
    from: avoidable,
    saves: 0.9,
    does: "inspecting its own code",
    remedy: "do it once and keep the result",
    impact: "Signatures, members, type hints and installed packages do not change while the program runs.",
    solution:
      "ask once for each function or class, when it is registered, and keep the answer (functools.cache).",
    example: `import functools
import inspect
from collections.abc import Callable


@functools.cache
def parameters(function: Callable) -> tuple[str, ...]:
    return tuple(inspect.signature(function).parameters)
`,
  }),
  frameRule({
    id: "python-exceptions",
    name: "Exceptions as control flow",
    looksAt: "CPU in formatting stack traces below application code.",
    frames: inFiles("traceback.py", "linecache.py", "tokenize.py"),
    from: avoidable,
    confidence: 0.85,
    saves: 0.9,
    does: "formatting stack traces",
    remedy: "do not raise what is expected",
    impact: "A formatted trace reads source files and walks the whole stack, for each exception.",
    solution:
      "check before the call (str.isdigit, dict.get), return None for what is expected, and format traces of unexpected errors only.",
    example: `def number(text: str) -> int | None:
    # A wrong input is expected: no exception, and no trace in the log.
    return int(text) if text.isdecimal() else None
`,
  }),
  frameRule({
    id: "python-lazy-loading",
    name: "Rows loaded one by one (N+1)",
    looksAt: "CPU in attributes of SQLAlchemy and Django that query when they are read.",
    frames: inFiles(
      "sqlalchemy/orm/strategies.py#_load_for_path _emit_lazyload",
      "django/db/models/fields/related_descriptors.py#__get__ get_object",
      "django/db/models/query_utils.py#__get__",
      "peewee.py#get_rel_instance",
    ),
    // Reading an attribute of Django may only make a manager: order.lines.filter() is a query that the program asks for.
    calling: inFiles(
      "django/db/models/sql/compiler.py",
      "django/db/backends/",
      "sqlalchemy/orm/session.py",
      "sqlalchemy/engine/",
      "peewee.py#execute",
    ),
    from: neverNeeded,
    confidence: 0.9,
    saves: 0.8,
    does: "on queries of single attributes",
    remedy: "load them with the list",
    impact:
      "Each object of a list asks the database again when the attribute is read (N+1), and waits for the answer.",
    solution:
      "load the related rows together with the list: selectinload or joinedload in SQLAlchemy, select_related or prefetch_related in Django.",
    example: `from sqlalchemy import select
from sqlalchemy.orm import Session, selectinload


def orders(session: Session, Order) -> list:
    # Two queries, however many orders there are.
    return list(session.scalars(select(Order).options(selectinload(Order.lines))))
`,
  }),
  frameRule({
    id: "python-queries",
    name: "Many database queries",
    looksAt: "CPU in drivers of databases and in object mappers below application code.",
    frames: inFiles(
      "sqlalchemy/",
      "django/db/",
      "psycopg/",
      "psycopg2/",
      "asyncpg/",
      "pymysql/",
      "MySQLdb/",
      "mysql/connector/",
      "pymongo/",
      "redis/",
      "peewee.py",
      "cassandra/",
      "elasticsearch/",
    ),
    yieldsTo: ["python-lazy-loading"],
    confidence: 0.6,
    saves: 0.5,
    does: "on database queries",
    remedy: "ask once for all rows",
    impact:
      "A query for each item of a list also waits for the network each time, which CPU time does not show.",
    solution:
      "ask for all rows of a list at once (IN, executemany, pipelines of Redis), select columns instead of whole objects, and keep rows that rarely change.",
    example: `def names(connection, ids: list[int]) -> dict[int, str]:
    rows = connection.execute("SELECT id, name FROM items WHERE id = ANY(%s)", (ids,))
    return dict(rows.fetchall())
`,
  }),
  frameRule({
    id: "python-http-client",
    name: "A new HTTP session for each request",
    looksAt: "CPU in requests.get and httpx.get, and in making TLS contexts, below application code.",
    frames: inFiles(
      "requests/api.py",
      "httpx/_api.py",
      "ssl.py#create_default_context load_default_certs load_verify_locations",
      "certifi/",
    ),
    from: avoidable,
    confidence: 0.85,
    saves: 0.6,
    does: "on new HTTP sessions",
    remedy: "keep one session",
    impact:
      "Without a session each request opens a connection, with a TLS handshake and the certificates read again.",
    solution: "use one requests.Session or httpx.Client for the process.",
    example: `import requests

session = requests.Session()


def price(article: str) -> int:
    reply = session.get("https://prices.internal/prices/" + article, timeout=2)
    reply.raise_for_status()
    return reply.json()["cents"]
`,
  }),
  frameRule({
    id: "python-template-compile",
    name: "Templates compiled while serving",
    looksAt: "CPU in the compilers of Jinja, Mako and Django templates.",
    frames: inFiles(
      "jinja2/compiler.py",
      "jinja2/environment.py#_compile _parse _tokenize",
      "jinja2/parser.py",
      "jinja2/lexer.py",
      "mako/lexer.py",
      "mako/codegen.py",
      "django/template/base.py#tokenize parse compile_nodelist",
    ),
    from: neverNeeded,
    confidence: 0.95,
    saves: 0.95,
    does: "compiling templates",
    remedy: "compile them once",
    impact:
      "A template that is made from a text is compiled at each use; one that an environment loads is kept.",
    solution:
      "load templates from one Environment with get_template, or keep the compiled one in the module.",
    example: `from jinja2 import Environment, FileSystemLoader

environment = Environment(loader=FileSystemLoader("templates"), auto_reload=False)


def page(rows: list[dict]) -> str:
    return environment.get_template("rows.html").render(rows=rows)
`,
  }),
  frameRule({
    id: "python-processes",
    name: "Processes started while serving",
    looksAt: "CPU in subprocess and multiprocessing below application code.",
    frames: inFiles(
      "subprocess.py#__init__ _execute_child run",
      "multiprocessing/popen_fork.py",
      "multiprocessing/popen_spawn_posix.py",
    ),
    from: avoidable,
    saves: 0.8,
    does: "starting processes",
    remedy: "keep them running, or use a library",
    impact:
      "Starting a process copies page tables and loads a program: milliseconds, in which the interpreter waits.",
    solution:
      "use a library instead of a command, keep a pool of workers (concurrent.futures.ProcessPoolExecutor), and hand over many items at once.",
    example: `from concurrent.futures import ProcessPoolExecutor

workers = ProcessPoolExecutor()


def scaled(paths: list[str], scale) -> list[bytes]:
    return list(workers.map(scale, paths, chunksize=16))
`,
  }),
  frameRule({
    id: "python-row-loops",
    name: "Loops over rows of data frames",
    looksAt: "CPU in iterrows, itertuples and apply of pandas below application code.",
    frames: inFiles(
      "pandas/core/frame.py#iterrows itertuples apply",
      "pandas/core/apply.py",
      "pandas/core/series.py#apply map",
    ),
    from: avoidable,
    confidence: 0.9,
    saves: 0.9,
    does: "on rows of data frames",
    remedy: "compute whole columns",
    impact:
      "A row becomes a Series with a separate index; an operation on columns runs in C for all rows at once.",
    solution:
      "write the computation with columns, numpy.where and groupby; use to_dict or itertuples where a loop is needed.",
    example: `import pandas as pd


def totals(frame: pd.DataFrame) -> pd.Series:
    return frame["price"] * frame["count"]
`,
  }),
  frameRule({
    id: "python-gil",
    name: "Threads that wait for the interpreter",
    looksAt: "Time in taking and giving up the global interpreter lock, in profiles with native frames.",
    frames: anyOf(
      functions("take_gil", "drop_gil", "PyEval_RestoreThread", "PyGILState_Ensure"),
      inFiles("ceval_gil.h", "ceval_gil.c"),
    ),
    from: avoidable,
    saves: 0.5,
    does: "waiting for the interpreter lock",
    remedy: "use processes for CPU work",
    impact: "Only one thread runs Python at a time: threads with CPU work hold each other up.",
    solution:
      "give CPU work to processes, use libraries that release the lock (numpy, zlib, hashlib), and start fewer threads.",
    example: `from concurrent.futures import ProcessPoolExecutor

workers = ProcessPoolExecutor()


def prices(orders: list[dict], price) -> list[int]:
    return list(workers.map(price, orders, chunksize=64))
`,
  }),
  frameRule({
    id: "python-lock-waits",
    name: "Threads that wait for each other",
    looksAt: "Time in threading, queue and futures below application code.",
    frames: inFiles(
      "threading.py#wait acquire join __enter__ _wait_for_tstate_lock",
      "concurrent/futures/_base.py#result wait",
    ),
    from: { low: 0.15, medium: 0.4 },
    confidence: 0.6,
    saves: 0.4,
    does: "waiting for other threads",
    remedy: "hold locks for less time",
    impact: "Profiles of all threads count waiting; threads without work wait too.",
    solution:
      "keep I/O and long work out of the locked part, give each thread separate data, and hand over whole batches.",
    example: `import threading

lock = threading.Lock()
prices: dict[str, int] = {}


def refresh(load) -> None:
    fresh = load()
    with lock:
        prices.update(fresh)
`,
  }),
] as const;
