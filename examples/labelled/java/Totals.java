import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;

/** Totals of the tills of a chain of shops. */
public class Totals {
    static final int[] tills = new int[40_000];
    static final int[] cents = new int[40_000];

    static Map<Integer, Long> perTill(int first, int count) {
        Map<Integer, Long> totals = new HashMap<>();
        for (int i = first; i < first + count; i++) {
            Long before = totals.get(tills[i]);
            totals.put(tills[i], before == null ? Long.valueOf(cents[i]) : before + cents[i]);
        }
        return totals;
    }

    static String largest(Map<Integer, Long> totals) {
        List<Map.Entry<Integer, Long>> entries = new ArrayList<>(totals.entrySet());
        entries.sort(Map.Entry.<Integer, Long>comparingByValue().reversed());
        StringBuilder text = new StringBuilder();
        for (var entry : entries.subList(0, 20)) text.append(entry.getKey()).append(' ').append(entry.getValue()).append('\n');
        return text.toString();
    }

    static void handle(HttpExchange exchange) throws IOException {
        int number = Integer.parseInt(exchange.getRequestURI().getPath().substring("/totals/".length()));
        byte[] body = largest(perTill(number * 97 % 10_000, 30_000)).getBytes();
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    public static void main(String[] args) throws IOException {
        for (int i = 0; i < tills.length; i++) {
            tills[i] = 1000 + i * 31 % 700;
            cents[i] = 200 + i * 17 % 9000;
        }
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(System.getenv("PORT"))), 0);
        server.setExecutor(Executors.newFixedThreadPool(4));
        server.createContext("/totals/", Totals::handle);
        server.start();
    }
}
