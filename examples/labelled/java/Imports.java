import com.google.common.base.Splitter;
import io.javalin.Javalin;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Imports price lists of suppliers as CSV. */
public class Imports {
    record Price(int cents, int minimum) {}

    static final Splitter commas = Splitter.on(',').trimResults();
    static final Map<String, Price> prices = new ConcurrentHashMap<>();
    static final String[] lists = new String[20];

    static String listing(int number) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 3000; i++) text.append('S').append((number + i) % 5000).append(", ").append((i * 37 + number) % 90_000).append(", ").append(1 + i % 12).append(", a note\n");
        return text.toString();
    }

    static int merge(BufferedReader lines) throws IOException {
        int lowered = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            Iterator<String> fields = commas.split(line).iterator();
            String sku = fields.next();
            Price price = new Price(Integer.parseInt(fields.next()), Integer.parseInt(fields.next()));
            Price before = prices.put(sku, price);
            if (before != null && price.cents() < before.cents()) lowered++;
        }
        return lowered;
    }

    public static void main(String[] args) {
        for (int n = 0; n < lists.length; n++) lists[n] = listing(n);
        Javalin.create().get("/imports/{number}", ctx -> {
            int lowered = merge(new BufferedReader(new StringReader(lists[Integer.parseInt(ctx.pathParam("number")) % 20])));
            ctx.json(Map.of("prices", prices.size(), "lowered", lowered));
        }).start("127.0.0.1", Integer.parseInt(System.getenv("PORT")));
    }
}
