import io.javalin.Javalin;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Who of a mailing's addresses may be written to. */
public class Members {
    static final List<String> unsubscribed = new ArrayList<>();

    static List<String> allowed(List<String> addresses) {
        List<String> result = new ArrayList<>();
        for (String address : addresses) {
            if (!unsubscribed.contains(address.toLowerCase())) result.add(address);
        }
        return result;
    }

    static List<String> segment(int number) {
        List<String> addresses = new ArrayList<>();
        for (int n = 0; n < 400; n++) addresses.add("person" + (number * 50 + n) + "@Example.org");
        return addresses;
    }

    static Map<String, Integer> byInitial(List<String> addresses) {
        Map<String, Integer> counts = new TreeMap<>();
        for (String address : addresses) counts.merge(address.substring(0, 8), 1, Integer::sum);
        return counts;
    }

    public static void main(String[] args) {
        for (int n = 0; n < 3000; n++) unsubscribed.add("person" + n * 3 + "@example.org");
        Javalin.create().get("/mailings/{number}", ctx -> {
            List<String> addresses = allowed(segment(Integer.parseInt(ctx.pathParam("number")) % 100));
            ctx.json(Map.of("recipients", addresses.size(), "initials", byInitial(addresses)));
        }).start("127.0.0.1", Integer.parseInt(System.getenv("PORT")));
    }
}
