/** Places outside of the product that no string may reach. */
export interface Canaries {
  /** A file that exists: no reply may have its content. */
  readonly secretFile: string;
  /** A file that does not exist: nothing may create it. */
  readonly newFile: string;
  /** The address of a server that nothing may call. */
  readonly url: string;
}

/** More than 200 values that try to leave the place where a parameter is used: SQL, shells, paths, addresses, markup, templates, numbers. */
export function injectionStrings(canaries: Canaries): string[] {
  const families = [sql, columnStore, shell, paths, addresses, markup, templates, control, odd];
  const plain = families.flatMap((family) => family(canaries));
  return [...plain, ...plain.map((text) => `checkout${text}`)];
}

const sql = ({ newFile, secretFile }: Canaries) => [
  ...["'", '"', "`", "\\'", "''", "')", "'))", "';", "'--", "'/*", "' #", "%'", "_", "%", "[%]"],
  ...[
    "' OR '1'='1",
    "' OR 1=1--",
    '" OR ""="',
    "') OR ('a'='a",
    "1 OR 1=1",
    "1; SELECT 1",
    "' AND 1=0 UNION SELECT 1,2,3--",
  ],
  ...[
    "'; DROP TABLE users;--",
    "'; DELETE FROM profiles;--",
    "'; UPDATE users SET is_operator=1;--",
    "' || (SELECT password_hash FROM users) || '",
  ],
  ...[
    "' AND randomblob(1000000000)--",
    "'; SELECT pg_sleep(10);--",
    "' OR sleep(3)=0--",
    "'; ATTACH DATABASE 'x' AS y;--",
    "' GROUP BY 1 HAVING 1=1--",
  ],
  ...[
    `'; ATTACH DATABASE '${newFile}' AS canary;--`,
    `'; VACUUM INTO '${newFile}';--`,
    `' UNION SELECT readfile('${secretFile}')--`,
  ],
  ...[
    `'; COPY users TO '${newFile}';--`,
    `'; COPY t FROM PROGRAM 'touch ${newFile}';--`,
    `' UNION SELECT pg_read_file('${secretFile}')--`,
  ],
];

const columnStore = ({ newFile, secretFile, url }: Canaries) => [
  ...[
    "{orgId:UUID}",
    "{x:Identifier}",
    "' FORMAT JSON",
    "' SETTINGS readonly=0",
    "') UNION ALL SELECT 1 FROM profiles--",
    "' INTO OUTFILE 'x'",
  ],
  ...[
    "\\' OR 1=1 --",
    "' OR org_id != ''--",
    "') OR org_id IN (SELECT org_id FROM profiles)--",
    "'; SYSTEM SHUTDOWN;--",
    "'; DROP DATABASE flamekeep;--",
  ],
  ...[
    `' UNION ALL SELECT * FROM file('${secretFile}', 'LineAsString')--`,
    `'; INSERT INTO FUNCTION file('${newFile}', 'TSV') SELECT 1;--`,
  ],
  ...[
    `' INTO OUTFILE '${newFile}'--`,
    `' UNION ALL SELECT * FROM url('${url}', 'LineAsString')--`,
    `' UNION ALL SELECT * FROM s3('${url}')--`,
  ],
  ...[
    "' UNION ALL SELECT * FROM system.users--",
    "' UNION ALL SELECT * FROM executable('id')--",
    "' UNION ALL SELECT * FROM remote('127.0.0.1')--",
  ],
];

const shell = ({ newFile, url }: Canaries) => [
  ...[
    `; touch ${newFile}`,
    `| touch ${newFile}`,
    `& touch ${newFile} &`,
    `$(touch ${newFile})`,
    `\`touch ${newFile}\``,
    `\n touch ${newFile}\n`,
  ],
  ...[
    `; curl ${url}`,
    `| curl ${url}`,
    `$(curl ${url})`,
    `> ${newFile}`,
    `' > ${newFile} '`,
    `-o${newFile}`,
    `--output=${newFile}`,
  ],
  ...["; id", "| id", "&& id", "|| id", "%0aid", "() { :;}; id", "--help", "-rf /", "@/etc/passwd", "<(id)"],
];

const paths = ({ secretFile, newFile }: Canaries) => [
  ...[
    secretFile,
    newFile,
    `file://${secretFile}`,
    `..${secretFile}`,
    `../../../../../../../../..${secretFile}`,
  ],
  ...[
    "../",
    "..\\..\\",
    "..%2f..%2f",
    "..%252f..%252f",
    "....//....//",
    "..;/..;/",
    "/etc/passwd",
    "/proc/self/environ",
    "C:\\Windows\\win.ini",
  ],
  ...[
    ".",
    "..",
    "/",
    "//",
    "\\",
    "~",
    "~root",
    "CON",
    "NUL",
    ".git/config",
    "a/../../b",
    "%2e%2e%2f",
    "\u2025/",
    "\uff0e\uff0e\uff0f",
  ],
];

const addresses = ({ url }: Canaries) => [
  ...[
    url,
    `${url}?a=b#c`,
    url.replace("http://", "//"),
    url.replace("http://", "http://user@"),
    url.replace("127.0.0.1", "localhost"),
  ],
  ...[
    url.replace("127.0.0.1", "127.1"),
    url.replace("127.0.0.1", "2130706433"),
    url.replace("127.0.0.1", "[::ffff:127.0.0.1]"),
    url.replace("http:", "gopher:"),
  ],
  ...[
    "http://169.254.169.254/latest/meta-data",
    "http://[::1]/",
    "http://0/",
    "javascript:alert(1)",
    "data:text/html,x",
    "jar:http://x!/",
    "dict://127.0.0.1:11211/",
  ],
];

const markup = ({ secretFile, url }: Canaries) => [
  ...[
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "<svg/onload=alert(1)>",
    "'><iframe srcdoc=x>",
    "</title><script>",
    "<!--",
    "]]>",
    "&lt;b&gt;",
  ],
  ...[
    `<!DOCTYPE x [<!ENTITY e SYSTEM "file://${secretFile}">]><x>&e;</x>`,
    `<?xml version="1.0"?><!DOCTYPE x SYSTEM "${url}">`,
    `<img src="${url}">`,
  ],
  ...[
    "<a href=javascript:alert(1)>",
    '<math><mi//xlink:href="data:x,">',
    "<style>@import'x'</style>",
    "<base href=//x>",
    '<!--#exec cmd="id"-->',
  ],
];

const templates = () => [
  ...[
    "{{7*7}}",
    "${7*7}",
    "#{7*7}",
    "<%= 7*7 %>",
    "{{constructor.constructor('return process')()}}",
    "${process.env}",
    "${jndi:ldap://127.0.0.1/a}",
    "%s%s%s%n",
    "%x%x",
  ],
  ...[
    "__proto__",
    "constructor",
    "prototype",
    "toString",
    "hasOwnProperty",
    "__proto__[a]=b",
    "constructor.prototype.a",
    '{"$gt":""}',
    '{"$where":"1"}',
    "[object Object]",
  ],
  ...[
    "*)(uid=*))(|(uid=*",
    "' or '1'='1' or ''='",
    "//user[1]",
    "=cmd|' /C calc'!A0",
    "@SUM(1+1)",
    "+1+1",
    "-1+1",
    "(a+)+$",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    "[",
    "(?<",
  ],
];

const control = () => [
  ...[
    "\r\nSet-Cookie: a=b",
    "\r\n\r\n<html>",
    "%0d%0aLocation: x",
    "\n",
    "\r",
    "\t",
    "\0",
    "a\0b",
    "%00",
    "\u0007",
    "\u001b[31m",
    "\u007f",
    "\u0085",
    "\u2028",
    "\u2029",
  ],
  ...[
    "\u202eabc",
    "\u200b",
    "\ufeff",
    "\ufffd",
    "\ud800",
    "\udfff\ud800",
    "e\u0301",
    "\u00e9",
    "\u0130",
    "\u1e9e",
    "\ud83d\udd25",
    "\ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67",
    "\uff07 OR 1",
    "\u02bc OR 1",
    "A".repeat(5000),
  ],
];

const odd = () => [
  ...[
    "",
    " ",
    "  a  ",
    "null",
    "undefined",
    "NaN",
    "Infinity",
    "-Infinity",
    "true",
    "[]",
    "{}",
    "0",
    "-0",
    "-1",
    "00",
    "0x10",
    "1e309",
    "1e-400",
    "9007199254740993",
    "-9223372036854775809",
  ],
  ...[
    "18446744073709551616",
    "99999999999999999999999999",
    "1.7976931348623157e309",
    "0.1.2",
    "1,000",
    "٣",
    "１",
    "0000-00-00",
    "9999-12-31T23:59:60Z",
    "-271821-04-20T00:00:00Z",
    "+275760-09-13T00:00:00.001Z",
  ],
  ...[
    "now-99999999d",
    "1970-01-01",
    "2026-02-30",
    "24h;1h",
    "00000000-0000-0000-0000-000000000000",
    "ffffffffffffffffffffffffffffffff",
    "a,b,c",
    "a|b",
    "a:b:c",
    "a=b&c=d",
    "key:",
    ":value",
    "::",
  ],
];
