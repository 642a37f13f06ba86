/**
 * Libraries of Python and Node by relative paths. py-spy shortens a path to the part below the folder of the packages, and Node up to
 * version 14 names its own files without a folder. There is nothing else to tell them from the files of the service.
 *
 * ```
 * json/decoder.py            standard library
 * sqlalchemy/engine/base.py  library
 * shop/views.py, views.py    neither
 * ```
 */

/** Packages of Python's standard library, which are folders. */
const pythonPackages = wordsOf(`
  asyncio collections concurrent ctypes curses dbm distutils email encodings html http importlib json logging multiprocessing
  pathlib re sqlite3 string sysconfig tomllib unittest urllib wsgiref xml xmlrpc zipfile zoneinfo`);

/** Modules of Python's standard library, which are files. Those that a service would hardly run are left out, because its own may have such a name. */
const pythonModules = wordsOf(`
  __future__ _collections_abc _compat_pickle _markupbase _py_abc _pydatetime _pydecimal _pyio _strptime _threading_local _weakrefset
  abc argparse ast asynchat asyncore base64 bdb bisect bz2 cProfile calendar cgi codecs colorsys configparser contextlib contextvars copy
  copyreg csv dataclasses datetime decimal difflib dis enum fileinput fnmatch fractions ftplib functools genericpath getopt getpass gettext
  glob graphlib gzip hashlib heapq hmac imaplib imp inspect io ipaddress keyword linecache locale lzma mailbox mimetypes ntpath numbers
  opcode operator optparse os pickle pickletools pkgutil platform plistlib poplib posixpath pprint pstats queue quopri random re reprlib
  runpy sched secrets selectors shelve shlex shutil signal smtplib socket socketserver sre_compile sre_constants sre_parse ssl stat
  statistics string stringprep struct subprocess symtable sysconfig tarfile tempfile textwrap threading timeit token tokenize traceback
  tracemalloc types typing uuid warnings weakref zipfile zipimport`);

/** Packages and modules of PyPI that services run. */
const pypi = wordsOf(`
  MySQLdb OpenSSL PIL aiohttp aiomysql aiopg aioredis alembic amqp anyio arrow asgiref asyncpg attr attrs authlib babel bcrypt billiard bleach
  blinker boto3 botocore bottle bs4 cachetools cassandra cattrs celery certifi chardet charset_normalizer click cryptography cv2 dateutil
  django docutils elasticsearch eventlet falcon fastapi fastjsonschema flask flask_sqlalchemy gevent google graphene graphql greenlet grpc
  gunicorn h11 h2 hiredis html5lib httpcore httptools httpx idna itsdangerous jinja2 joblib jose jsonschema jwt kafka kombu lxml mako
  markdown markupsafe marshmallow mistune msgpack msgspec mysql nltk numpy openpyxl opentelemetry orjson pandas passlib peewee pendulum pika
  polars prometheus_client promise psycopg psycopg2 pyarrow pydantic pydantic_core pygments pymongo pymysql pyparsing pytz rapidjson redis
  regex requests rest_framework ruamel s3transfer scipy sentry_sdk shapely simplejson six skimage sklearn sniffio sortedcontainers
  sqlalchemy sqlmodel sqlparse starlette structlog tenacity tensorflow torch tornado tqdm transformers twisted typing_extensions ujson
  urllib3 uvicorn uvloop waitress websockets werkzeug wrapt xmltodict yaml yarl zmq zope`);

/** Public modules of Node. */
const nodeModules = wordsOf(`
  assert async_hooks buffer child_process cluster console crypto dgram dns domain events fs http http2 https inspector net os path perf_hooks
  process punycode querystring readline repl stream string_decoder timers tls tty url util v8 vm worker_threads zlib`);
const nodeFile = /^(?:internal\/.+|_(?:http|stream|tls)_\w+)\.js$/;

const scriptFile = /^(?:node:|<frozen )|\.(?:pyx?|[cm]?[jt]sx?|rb|php)$/;

/** Whether a source file is of a language whose functions have no package in their names. */
export function isScript(file: string): boolean {
  return scriptFile.test(file);
}

/** The kind of library that a relative path belongs to; undefined for other files. Folders are separated by slashes. */
export function scriptLibraryOf(path: string): "standard_library" | "third_party" | undefined {
  const slash = path.indexOf("/");
  const isFile = slash < 0;
  const first = isFile ? path.slice(0, Math.max(0, path.lastIndexOf("."))) : path.slice(0, slash);
  if (path.endsWith(".py")) {
    if ((isFile ? pythonModules : pythonPackages).has(first)) return "standard_library";
    return pypi.has(first) ? "third_party" : undefined;
  }
  const isOfNode = nodeFile.test(path) || (isFile && path.endsWith(".js") && nodeModules.has(first));
  return isOfNode ? "standard_library" : undefined;
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
