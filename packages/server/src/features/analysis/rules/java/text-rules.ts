import { avoidable, frameRule, neverNeeded } from "#rules/frame-rule.ts";
import { functions } from "#rules/match.ts";
import { javaLoggers, linking } from "./libraries.ts";

/** Java: texts that are matched, built and formatted. */
export const javaTextRules = [
  frameRule({
    id: "java-regex-compile",
    name: "Regular expressions compiled per call",
    looksAt: "CPU in Pattern.compile below application code, String.matches, split and replaceAll included.",
    frames: functions("java/util/regex/Pattern.{compile,<init>,matches}"),
    except: functions("java/util/logging/*", "ch/qos/logback/*", "java/util/Formatter*"),
    from: neverNeeded,
    confidence: 0.95,
    saves: 0.95,
    does: "compiling regular expressions",
    remedy: "compile them once",
    impact: "String.matches, replaceAll, replaceFirst and split compile their pattern at each call.",
    solution:
      "keep the compiled Pattern in a static field and call its matcher; use String.contains, startsWith or replace for plain text.",
    example: `import java.util.regex.Pattern;

class Articles {
  private static final Pattern ARTICLE = Pattern.compile("item \\\\d+[a-z]*");

  static boolean isArticle(String name) {
    return ARTICLE.matcher(name).matches();
  }
}
`,
  }),
  frameRule({
    id: "java-regex-match",
    name: "Hot regular expressions",
    looksAt: "CPU in Matcher below application code.",
    frames: functions("java/util/regex/*"),
    except: functions(
      "java/util/regex/Pattern.{compile,<init>}",
      "java/util/Formatter*",
      "java/util/Scanner*",
    ),
    saves: 0.5,
    does: "matching regular expressions",
    remedy: "simplify or avoid them",
    impact: "Nested repetitions try every way to split a text that nearly matches.",
    solution:
      "check with contains or startsWith first, use possessive repetitions (\\w++), and split on one character.",
    example: `class Mails {
  // A text without an @ needs no pattern.
  static boolean mayBeMail(String text) {
    int at = text.indexOf('@');
    return at > 0 && text.indexOf('.', at) > 0;
  }
}
`,
  }),
  frameRule({
    id: "java-string-concatenation",
    name: "Strings built piece by piece",
    looksAt: "CPU and allocations in string concatenation and StringBuilder below application code.",
    frames: functions(
      "java/lang/StringConcatHelper.*",
      "java/lang/{StringBuilder,StringBuffer,AbstractStringBuilder}.*",
      "java/lang/StringBuilder",
    ),
    except: (name) =>
      javaLoggers(name) ||
      linking(name) ||
      name.startsWith("java/util/Formatter") ||
      name.startsWith("java/lang/Throwable"),
    types: ["cpu", "memory"],
    from: { low: 0.06, medium: 0.3 },
    yieldsTo: ["java-string-format", "java-logging"],
    saves: 0.6,
    does: "concatenating strings",
    remedy: "build the text once",
    impact:
      "Adding to a string in a loop copies all of it each time; a builder of the right size copies it once.",
    solution:
      "use one StringBuilder with its capacity around the loop, String.join for lists, and write to the output instead of a string.",
    example: `import java.util.List;

class Texts {
  static String joined(List<String> names) {
    StringBuilder text = new StringBuilder(names.size() * 16);
    for (String name : names) text.append(name).append('\\n');
    return text.toString();
  }
}
`,
  }),
  frameRule({
    id: "java-string-format",
    name: "String.format in hot code",
    looksAt: "CPU in java.util.Formatter and MessageFormat below application code.",
    frames: functions(
      "java/util/Formatter*",
      "java/lang/String.{format,formatted}",
      "java/text/MessageFormat*",
    ),
    except: functions("java/util/logging/*", "ch/qos/logback/*", "org/apache/logging/*"),
    from: avoidable,
    saves: 0.8,
    does: "in String.format",
    remedy: "append the parts",
    impact: "Each call parses the format again, and boxes its arguments.",
    solution:
      "append to a StringBuilder, or concatenate with +, which the compiler turns into one copy; keep a DecimalFormat per thread for numbers.",
    example: `class Labels {
  static String label(int id, String name, long cents) {
    return id + " " + name + " " + cents / 100 + "." + cents / 10 % 10 + cents % 10;
  }
}
`,
  }),
  frameRule({
    id: "java-dates",
    name: "Date formats made per call",
    looksAt: "CPU in SimpleDateFormat, and in making formatters, below application code.",
    frames: functions(
      "java/text/{SimpleDateFormat,DateFormat,DateFormatSymbols,DecimalFormat,DecimalFormatSymbols,NumberFormat}.*",
      "java/time/format/DateTimeFormatter.ofPattern",
      "java/time/format/DateTimeFormatterBuilder.*",
      "java/util/{Calendar,GregorianCalendar}.{<init>,getInstance}",
    ),
    except: (name) => javaLoggers(name) || name.startsWith("java/util/Formatter"),
    from: avoidable,
    saves: 0.8,
    does: "on formats of dates and numbers",
    remedy: "keep one DateTimeFormatter",
    impact:
      "A SimpleDateFormat makes a calendar, symbols and a compiled pattern; it cannot be shared by threads.",
    solution:
      "keep a DateTimeFormatter in a static field, which threads may share, and use Instant.parse and toString for ISO 8601.",
    example: `import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;

class Days {
  private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

  static String textOf(LocalDateTime time) {
    return FORMAT.format(time);
  }
}
`,
  }),
] as const;
