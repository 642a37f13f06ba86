import { avoidable, frameRule, neverNeeded } from "#rules/frame-rule.ts";
import { functions } from "#rules/match.ts";

/** Java: work whose result can be kept, so that requests need not repeat it. */
export const javaRepeatedWorkRules = [
  frameRule({
    id: "java-template-parse",
    name: "Templates parsed while serving",
    looksAt: "CPU in the parsers of FreeMarker, Thymeleaf, Velocity, Mustache, Handlebars and Pebble.",
    frames: functions(
      "freemarker/template/Template.<init>",
      "freemarker/core/FMParser*",
      "org/thymeleaf/templateparser/*",
      "org/attoparser/*",
      "org/apache/velocity/runtime/{parser,RuntimeInstance.parse}*",
      "com/github/mustachejava/{MustacheParser,DefaultMustacheFactory.compile}*",
      "com/github/jknack/handlebars/internal/{HbsParser,HbsLexer,TemplateBuilder}*",
      "io/pebbletemplates/pebble/{lexer,parser}/*",
    ),
    from: neverNeeded,
    confidence: 0.95,
    saves: 0.9,
    does: "parsing templates",
    remedy: "parse them once",
    impact:
      "A template that is made from a text is parsed at each use; one that a configuration loads is kept.",
    solution:
      "keep the parsed template in a static field, or load it by name from one Configuration with its cache on: a parsed template may be used by many threads.",
    example: `import freemarker.template.Configuration;
import freemarker.template.TemplateException;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Map;

class Letters {
  private static final Configuration TEMPLATES = new Configuration(Configuration.VERSION_2_3_33);

  static {
    TEMPLATES.setClassForTemplateLoading(Letters.class, "/templates");
  }

  static String write(Map<String, Object> values) throws IOException, TemplateException {
    StringWriter text = new StringWriter();
    TEMPLATES.getTemplate("letter.ftl").process(values, text);
    return text.toString();
  }
}
`,
  }),
  frameRule({
    id: "java-yaml",
    name: "YAML parsed while serving",
    looksAt: "CPU in SnakeYAML and YAMLBeans below application code.",
    frames: functions("org/yaml/snakeyaml/*", "org/snakeyaml/engine/*", "com/esotericsoftware/yamlbeans/*"),
    from: avoidable,
    saves: 0.9,
    does: "on YAML",
    remedy: "parse it once and keep the result",
    impact:
      "YAML is parsed character by character, and the type of each value is found by regular expressions.",
    solution: "load the file at the start, and again only after it has changed; send JSON between services.",
    example: `import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import org.yaml.snakeyaml.Yaml;

class Tariffs {
  private static final Map<String, Object> TARIFFS = load();

  private static Map<String, Object> load() {
    try (InputStream file = Tariffs.class.getResourceAsStream("/tariffs.yaml")) {
      return new Yaml().load(file);
    } catch (IOException error) {
      throw new ExceptionInInitializerError(error);
    }
  }
}
`,
  }),
  frameRule({
    id: "java-compression",
    name: "Costly compression",
    looksAt: "CPU in Deflater, GZIPOutputStream and other compressors below application code.",
    frames: functions(
      "java/util/zip/{Deflater,DeflaterOutputStream,GZIPOutputStream,ZipOutputStream}.*",
      "org/apache/commons/compress/compressors/*",
      "com/aayushatharva/brotli4j/encoder/*",
      "com/github/luben/zstd/{ZstdOutputStream,ZstdCompressCtx}*",
    ),
    except: functions("java/util/zip/Inflater*"),
    saves: 0.6,
    does: "compressing",
    remedy: "compress less hard, or once",
    impact:
      "Level 1 takes a third to a fifth of the time of levels 6 and 9, for an output that is 10 to 20% larger.",
    solution:
      "use Deflater.BEST_SPEED for what is compressed per request, compress what does not change once and keep the result, and leave out small bodies and formats that are compressed already.",
    example: `import java.util.Arrays;
import java.util.zip.Deflater;

class Exports {
  static byte[] pack(byte[] rows) {
    Deflater deflater = new Deflater(Deflater.BEST_SPEED);
    try {
      deflater.setInput(rows);
      deflater.finish();
      byte[] packed = new byte[rows.length + 64];
      return Arrays.copyOf(packed, deflater.deflate(packed));
    } finally {
      deflater.end();
    }
  }
}
`,
  }),
  frameRule({
    id: "java-password-hashing",
    name: "Password hashing in hot code",
    looksAt: "CPU in bcrypt, scrypt, Argon2 and PBKDF2 below application code.",
    frames: functions(
      "org/mindrot/jbcrypt/*",
      "at/favre/lib/crypto/bcrypt/*",
      "org/springframework/security/crypto/{bcrypt,scrypt,argon2,password}/*",
      "org/bouncycastle/crypto/generators/{BCrypt,OpenBSDBCrypt,SCrypt,Argon2,PKCS5S2}*",
      "de/mkammerer/argon2/*",
      "com/lambdaworks/crypto/*",
      "com/password4j/*",
      "com/sun/crypto/provider/PBKDF2*",
    ),
    // These functions are slow on purpose. A quarter of all CPU means that they run for ordinary requests.
    from: { low: 0.04, medium: 0.1, high: 0.25 },
    confidence: 0.9,
    saves: 0.9,
    does: "on password hashes",
    remedy: "check a session token instead",
    impact:
      "A password hash is slow on purpose, and belongs to signing in, not to every request. A session or signed token is checked in microseconds.",
    solution:
      "check the password once at sign-in, then give the client a random session token and look that up (store its SHA-256). Keys with 128 random bits or more need no slow hash.",
    example: `import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

class Sessions {
  // Users by the hash of their token: long random tokens need no slow hash.
  private final Map<String, String> users = new ConcurrentHashMap<>();

  String userOf(byte[] token) throws NoSuchAlgorithmException {
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(token);
    return users.get(HexFormat.of().formatHex(hash));
  }
}
`,
  }),
] as const;
