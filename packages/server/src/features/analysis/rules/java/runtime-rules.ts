import { avoidable, frameRule, neverNeeded } from "#rules/frame-rule.ts";
import { functions } from "#rules/match.ts";
import { javaLoggers, linking } from "./libraries.ts";

/** Java: what the program asks of its runtime, its libraries and other programs. */
export const javaRuntimeRules = [
  frameRule({
    id: "java-logging",
    name: "Logging in hot code",
    looksAt: "CPU in Logback, Log4j and java.util.logging below application code.",
    frames: javaLoggers,
    except: linking,
    saves: 0.7,
    does: "writing log lines",
    remedy: "log less, or asynchronously",
    impact:
      "A line is formatted and written with a lock held; patterns with caller or line walk the stack for each one.",
    solution:
      "move lines of single items to debug level, pass arguments ({}) instead of concatenated text, remove %caller, %method and %line from the pattern, and use an asynchronous appender.",
    example: `import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class Shop {
  private static final Logger LOG = LoggerFactory.getLogger(Shop.class);

  void sold(long order, int lines) {
    LOG.debug("order {} with {} lines", order, lines);
  }
}
`,
  }),
  frameRule({
    id: "java-reflection",
    name: "Reflection in hot code",
    looksAt: "CPU in java.lang.reflect and in the look-up of methods and fields below application code.",
    frames: functions(
      "java/lang/reflect/*",
      "jdk/internal/reflect/*",
      "sun/reflect/*",
      "java/lang/Class.{get,copy,search,private}*",
      "java/beans/Introspector*",
      "org/apache/commons/beanutils/*",
    ),
    except: (name) =>
      linking(name) ||
      /^(?:com\/fasterxml|com\/google\/gson|java\/io\/Object|org\/(?:springframework|hibernate|junit)\/)/.test(
        name,
      ),
    from: avoidable,
    yieldsTo: ["java-deep-copy"],
    saves: 0.8,
    does: "on reflection",
    remedy: "look methods up once",
    impact:
      "Class.getMethods copies all methods of the class at each call; an invocation boxes its arguments.",
    solution:
      "keep the Method or a MethodHandle in a static field, or use an interface or a generated class instead.",
    example: `import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

class Prices {
  private static final MethodHandle LENGTH;

  static {
    try {
      LENGTH = MethodHandles.lookup().findVirtual(String.class, "length", MethodType.methodType(int.class));
    } catch (ReflectiveOperationException error) {
      throw new ExceptionInInitializerError(error);
    }
  }

  static int length(String text) throws Throwable {
    return (int) LENGTH.invokeExact(text);
  }
}
`,
  }),
  frameRule({
    id: "java-exceptions",
    name: "Exceptions as control flow",
    looksAt: "CPU in making exceptions and reading stack traces below application code.",
    frames: functions(
      "java/lang/{Throwable,Exception,RuntimeException,IllegalArgumentException,IllegalStateException,NumberFormatException}.{<init>,fillInStackTrace,getStackTrace,getOurStackTrace,printStackTrace,forInputString,forCharSequence}",
      "java/lang/StackTraceElement.*",
      "java/lang/Thread.getStackTrace",
      "java/lang/{StackWalker,StackStreamFactory}*",
    ),
    except: javaLoggers,
    from: avoidable,
    confidence: 0.85,
    saves: 0.9,
    does: "making exceptions and stack traces",
    remedy: "do not throw what is expected",
    impact: "An exception walks the whole stack when it is made; the deeper the stack, the longer it takes.",
    solution:
      "check before the call, return Optional or a result for what is expected, and keep exceptions for errors.",
    example: `import java.util.OptionalInt;

class Numbers {
  static OptionalInt parse(String text) {
    if (text.isEmpty() || !text.chars().allMatch(Character::isDigit)) return OptionalInt.empty();
    return OptionalInt.of(Integer.parseInt(text));
  }
}
`,
  }),
  frameRule({
    id: "java-lazy-loading",
    name: "Rows loaded one by one (N+1)",
    looksAt: "CPU in proxies and collections of Hibernate and EclipseLink that query when they are read.",
    frames: functions(
      "org/hibernate/proxy/AbstractLazyInitializer.initialize",
      "org/hibernate/collection/{internal,spi}/AbstractPersistentCollection.{initialize,read,forceInitialization,readSize}",
      "org/hibernate/bytecode/enhance/spi/interceptor/*",
      "org/eclipse/persistence/indirection/*",
    ),
    from: neverNeeded,
    confidence: 0.9,
    saves: 0.8,
    does: "on queries of single objects",
    remedy: "load them with the list",
    impact:
      "Each object of a list asks the database again when its relation is read (N+1), and waits for the answer.",
    solution: "load the relation with the list: JOIN FETCH, an entity graph, or @BatchSize.",
    example: `import jakarta.persistence.EntityManager;
import java.util.List;

class Orders {
  static List<?> withLines(EntityManager entities) {
    return entities.createQuery("select distinct o from Order o join fetch o.lines").getResultList();
  }
}
`,
  }),
  frameRule({
    id: "java-queries",
    name: "Many database queries",
    looksAt: "CPU in JDBC drivers, object mappers and clients of stores below application code.",
    frames: functions(
      "java/sql/*",
      "org/postgresql/*",
      "com/mysql/*",
      "org/mariadb/*",
      "oracle/jdbc/*",
      "com/microsoft/sqlserver/*",
      "org/h2/*",
      "org/sqlite/*",
      "org/hsqldb/*",
      "com/zaxxer/hikari/*",
      "org/hibernate/*",
      "org/springframework/{jdbc,data}/*",
      "org/apache/ibatis/*",
      "org/jooq/*",
      "com/mongodb/*",
      "redis/clients/*",
      "io/lettuce/*",
      "com/datastax/*",
      "org/elasticsearch/client/*",
    ),
    yieldsTo: ["java-lazy-loading"],
    confidence: 0.6,
    saves: 0.5,
    does: "on database queries",
    remedy: "ask once for all rows",
    impact:
      "A query for each item of a list also waits for the network each time, which CPU time does not show.",
    solution:
      "ask for all rows of a list at once (IN, batches of PreparedStatement), let the driver keep prepared statements, and keep rows that rarely change.",
    example: `import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

class Names {
  static Map<Long, String> of(Connection connection, Long[] ids) throws SQLException {
    Map<Long, String> names = new HashMap<>();
    try (PreparedStatement query = connection.prepareStatement("SELECT id, name FROM items WHERE id = ANY(?)")) {
      query.setArray(1, connection.createArrayOf("bigint", ids));
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) names.put(rows.getLong(1), rows.getString(2));
      }
    }
    return names;
  }
}
`,
  }),
  frameRule({
    id: "java-secure-random",
    name: "Secure random numbers in hot code",
    looksAt: "CPU in SecureRandom and UUID.randomUUID below application code.",
    frames: functions(
      "java/security/SecureRandom.*",
      "sun/security/provider/{NativePRNG,SecureRandom,DRBG}*",
      "java/util/UUID.randomUUID",
    ),
    except: functions("sun/security/ssl/*", "java/nio/file/*"),
    from: avoidable,
    saves: 0.8,
    does: "on secure random numbers",
    remedy: "use them for secrets only",
    impact:
      "The generator computes hashes or calls the system for each number, with a lock that all threads share.",
    solution: "use ThreadLocalRandom or a counter for ids that need not be secret.",
    example: `import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

class Ids {
  static UUID next() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    return new UUID(random.nextLong(), random.nextLong());
  }
}
`,
  }),
  frameRule({
    id: "java-tls-handshakes",
    name: "Connections opened for each request",
    looksAt: "CPU in TLS handshakes and in making HTTP clients below application code.",
    frames: functions(
      "sun/security/ssl/{SSLSocketImpl.startHandshake,SSLContextImpl,HandshakeContext,TransportContext.kickstart,ClientHello,ServerHello}*",
      "java/net/http/HttpClient.newHttpClient",
      "jdk/internal/net/http/HttpClientImpl.create",
      "okhttp3/OkHttpClient.<init>",
      "org/apache/http/impl/client/HttpClientBuilder.build",
    ),
    from: avoidable,
    saves: 0.8,
    does: "opening connections",
    remedy: "keep one client",
    impact:
      "A handshake costs milliseconds of CPU on both sides and two round trips; a client of its own starts threads too.",
    solution: "keep one HttpClient for the process, read answers to their end, and let connections live.",
    example: `import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

class Client {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  static String get(URI address) throws IOException, InterruptedException {
    return CLIENT.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString()).body();
  }
}
`,
  }),
] as const;
