import { avoidable, frameRule, neverNeeded } from "#rules/frame-rule.ts";
import { functions } from "#rules/match.ts";

/** Java: values that are written, parsed, copied, boxed, searched and sorted. */
export const javaValueRules = [
  frameRule({
    id: "java-mapper-per-call",
    name: "A new JSON mapper for each call",
    looksAt: "CPU in making Jackson's and Gson's serializers below application code.",
    frames: functions(
      "com/fasterxml/jackson/databind/ObjectMapper.<init>",
      "com/fasterxml/jackson/databind/{ser,deser}/{BeanSerializerFactory,BeanDeserializerFactory,BasicSerializerFactory,BasicDeserializerFactory}*",
      "com/fasterxml/jackson/databind/introspect/*",
      "com/google/gson/Gson.<init>",
      "com/google/gson/GsonBuilder.create",
      "com/google/gson/internal/bind/ReflectiveTypeAdapterFactory.create",
      "javax/xml/bind/JAXBContext.newInstance",
      "jakarta/xml/bind/JAXBContext.newInstance",
    ),
    from: neverNeeded,
    confidence: 0.95,
    saves: 0.9,
    does: "making JSON mappers",
    remedy: "keep one",
    impact: "A new mapper finds the properties of every class by reflection again.",
    solution:
      "keep one ObjectMapper, Gson or JAXBContext in a static field; they may be used by many threads.",
    example: `import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

class Answers {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  static byte[] render(Object answer) throws JsonProcessingException {
    return MAPPER.writeValueAsBytes(answer);
  }
}
`,
  }),
  frameRule({
    id: "java-serialization",
    name: "Serialization",
    looksAt: "CPU in Java serialization, Jackson, Gson and XML libraries below application code.",
    frames: functions(
      "java/io/Object{Input,Output}Stream*",
      "java/io/ObjectStreamClass*",
      "com/fasterxml/jackson/*",
      "com/google/gson/*",
      "org/json/*",
      "com/alibaba/fastjson*",
      "com/thoughtworks/xstream/*",
      "com/sun/org/apache/xerces/*",
      "org/apache/xerces/*",
      "com/esotericsoftware/kryo/*",
    ),
    yieldsTo: ["java-mapper-per-call", "java-deep-copy", "java-yaml"],
    saves: 0.5,
    does: "on serialization",
    remedy: "write less, into streams",
    impact:
      "Java's own serialization describes every class in each stream; JSON libraries read every property by reflection.",
    solution:
      "keep encoded answers that rarely change, write bytes instead of strings, read into classes instead of maps, and replace ObjectOutputStream by JSON or Protocol Buffers.",
    example: `import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

class Rows {
  record Row(long id, String name) {}

  private static final ObjectWriter WRITER = new ObjectMapper().writerFor(Row[].class);

  static void write(List<Row> rows, OutputStream to) throws IOException {
    WRITER.writeValue(to, rows.toArray(new Row[0]));
  }
}
`,
  }),
  frameRule({
    id: "java-deep-copy",
    name: "Deep copies",
    looksAt: "CPU in libraries that copy beans, and in copies by serialization.",
    frames: functions(
      "org/apache/commons/lang{,3}/SerializationUtils.{clone,roundtrip}",
      "org/apache/commons/beanutils/*",
      "org/springframework/beans/BeanUtils.copyProperties",
      "org/springframework/util/SerializationUtils.*",
      "org/modelmapper/*",
      "com/github/dozermapper/*",
      "com/rits/cloning/*",
    ),
    from: avoidable,
    confidence: 0.9,
    saves: 0.85,
    does: "on deep copies",
    remedy: "share or copy by hand",
    impact: "A copy by reflection or serialization visits every property of every object below.",
    solution:
      "share immutable objects (records, List.copyOf), copy the changed level by hand, or generate the mapping (MapStruct).",
    example: `import java.util.List;

record Order(long id, String state, List<String> lines) {
  // The lines are shared: nobody can change them.
  Order paid() {
    return new Order(id, "paid", lines);
  }
}
`,
  }),
  frameRule({
    id: "java-boxing",
    name: "Boxed numbers",
    looksAt: "CPU in Integer.valueOf and the like, and allocated boxes, below application code.",
    frames: functions("java/lang/{Integer,Long,Double,Float,Short,Character,Byte}.valueOf"),
    types: ["cpu", "memory"],
    from: { low: 0.05, medium: 0.2, high: 0.5 },
    confidence: 0.9,
    saves: 0.8,
    does: "boxing numbers",
    remedy: "use primitive types",
    impact:
      "A boxed number is an object of 16 to 24 bytes behind a reference; collections of numbers box every element.",
    solution:
      "use int, long and double, arrays and primitive streams (IntStream, mapToLong), or collections of primitives (fastutil, Eclipse Collections).",
    example: `class Sums {
  static long sum(int[] values) {
    long sum = 0;
    for (int value : values) sum += value;
    return sum;
  }
}
`,
  }),
  frameRule({
    id: "java-linear-search",
    name: "Searches through lists",
    looksAt:
      "CPU in contains and indexOf of lists, in LinkedList by index, and in changes of CopyOnWriteArrayList, below application code.",
    // Not `remove`: the name is the same for an element and for an index, and the last element is removed without a search.
    frames: functions(
      "java/util/{ArrayList,Vector,AbstractList,AbstractCollection,Arrays$ArrayList,ImmutableCollections$List12,ImmutableCollections$ListN,ImmutableCollections$SubList,ImmutableCollections$AbstractImmutableList}.{contains,indexOf,indexOfRange,lastIndexOf,lastIndexOfRange}",
      "java/util/LinkedList.{node,get,contains,indexOf,lastIndexOf}",
      "java/util/concurrent/CopyOnWriteArrayList.{contains,indexOf,indexOfRange,add,addIfAbsent,set,remove}",
    ),
    from: avoidable,
    confidence: 0.9,
    saves: 0.9,
    does: "searching through lists",
    remedy: "use a set or a map",
    impact:
      "A search in a list looks at all elements, and CopyOnWriteArrayList copies all of them at each change.",
    solution: "keep a HashSet or HashMap next to the list, or instead of it; use ArrayDeque for queues.",
    example: `import java.util.HashSet;
import java.util.List;
import java.util.Set;

class Filter {
  static List<Integer> common(List<Integer> wanted, List<Integer> stored) {
    Set<Integer> ids = new HashSet<>(stored);
    return wanted.stream().filter(ids::contains).toList();
  }
}
`,
  }),
  frameRule({
    id: "java-sorting",
    name: "Sorting in hot code",
    looksAt:
      "CPU in the sorts of lists, arrays and streams below application code, comparisons of keys included.",
    frames: functions(
      "java/util/{TimSort,ComparableTimSort,DualPivotQuicksort}.*",
      "java/util/{Arrays,Collections,List,ArrayList,Arrays$ArrayList}.{sort,parallelSort,sortRange}",
    ),
    saves: 0.6,
    does: "sorting",
    remedy: "keep the order, or take the first",
    impact:
      "A sort compares each element about twenty times in a list of a million, and calls the comparator each time.",
    solution:
      "sort once after the last change instead of after each, use Collections.max or a PriorityQueue for the first elements, keep data in order (TreeMap), and compute keys before the sort.",
    example: `import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;

record Team(String name, int points) {
  private static final Comparator<Team> BY_POINTS = Comparator.comparingInt(Team::points);

  // One pass, where a sort only to see the first would take many.
  static Team leader(Collection<Team> teams) {
    return Collections.max(teams, BY_POINTS);
  }
}
`,
  }),
] as const;
