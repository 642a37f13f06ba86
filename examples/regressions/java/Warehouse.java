import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.text.SimpleDateFormat;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;

/** Deliveries of a warehouse. SLOW names a regression that is switched on. */
public class Warehouse {
    record Delivery(String sku, String at, int count) {}

    static final String slow = System.getenv().getOrDefault("SLOW", "");
    static final List<Delivery> deliveries = new ArrayList<>();
    static final List<String> recalledList = new ArrayList<>();
    static final Set<String> recalledSet = new HashSet<>();

    static int hourOf(Delivery delivery) throws Exception {
        if (slow.equals("date")) return new SimpleDateFormat("yyyy-MM-dd HH:mm:ss").parse(delivery.at()).getHours();
        return Integer.parseInt(delivery.at(), 11, 13, 10);
    }

    static boolean isRecalled(Delivery delivery) {
        return slow.equals("list") ? recalledList.contains(delivery.sku()) : recalledSet.contains(delivery.sku());
    }

    static String summary(int number) throws Exception {
        int[] hours = new int[24];
        int recalled = 0;
        for (Delivery delivery : deliveries.subList(number * 31 % 4000, number * 31 % 4000 + 300)) {
            hours[hourOf(delivery)] += delivery.count();
            if (isRecalled(delivery)) recalled++;
        }
        StringBuilder text = new StringBuilder("recalled ").append(recalled);
        for (int hour : hours) text.append(' ').append(hour);
        return text.toString();
    }

    static String page(int number) throws Exception {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 40; i++) text.append(summary(number + i)).append('\n');
        return text.toString();
    }

    static void handle(HttpExchange exchange) throws IOException {
        try {
            byte[] body = page(Integer.parseInt(exchange.getRequestURI().getPath().substring("/orders/".length()))).getBytes();
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        } catch (Exception wrong) {
            exchange.sendResponseHeaders(500, -1);
        }
        exchange.close();
    }

    public static void main(String[] args) throws IOException {
        for (int n = 0; n < 5000; n++) deliveries.add(new Delivery("S" + n % 900, String.format("2026-03-%02d %02d:%02d:00", 1 + n % 28, n % 24, n % 60), n % 9));
        for (int n = 0; n < 200; n++) recalledList.add("S" + n * 3);
        recalledSet.addAll(recalledList);
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(System.getenv("PORT"))), 0);
        server.setExecutor(Executors.newFixedThreadPool(4));
        server.createContext("/orders/", Warehouse::handle);
        server.start();
    }
}
