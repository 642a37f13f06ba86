import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.Serializable;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import org.apache.commons.lang3.SerializationUtils;

/** Baskets of a shop; each starts from the defaults of its country. */
public class Baskets {
    static class Zone implements Serializable {
        int number;
        double price;
    }

    static class Basket implements Serializable {
        String currency = "EUR";
        Map<String, ArrayList<Zone>> shipping = new HashMap<>();
        Map<String, Double> taxes = new HashMap<>();
        ArrayList<Double> lines = new ArrayList<>();
    }

    static final List<Basket> defaults = List.of(defaultBasket(1), defaultBasket(2), defaultBasket(3));

    static Basket defaultBasket(int country) {
        Basket basket = new Basket();
        for (int i = 0; i < 30; i++) {
            ArrayList<Zone> zones = new ArrayList<>();
            for (int z = 0; z < 20; z++) {
                Zone zone = new Zone();
                zone.number = z;
                zone.price = z * 1.5 + country;
                zones.add(zone);
            }
            basket.shipping.put("carrier-" + i, zones);
            basket.taxes.put("class-" + i, i / 100.0);
        }
        return basket;
    }

    static Basket newBasket(int country) {
        return SerializationUtils.clone(defaults.get(country));
    }

    static double total(Basket basket) {
        double goods = basket.lines.stream().mapToDouble(line -> line * (1 + basket.taxes.get("class-3"))).sum();
        return goods + basket.shipping.values().stream().mapToDouble(zones -> zones.get(3).price).min().orElse(0);
    }

    static void handle(HttpExchange exchange) throws IOException {
        int number = Integer.parseInt(exchange.getRequestURI().getPath().substring("/baskets/".length()));
        Basket basket = newBasket(number % 3);
        for (int i = 0; i < 40; i++) basket.lines.add(1.5 * i);
        byte[] body = ("{\"total\":" + total(basket) + "}").getBytes();
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    public static void main(String[] args) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(System.getenv("PORT"))), 0);
        server.setExecutor(Executors.newFixedThreadPool(4));
        server.createContext("/baskets/", Baskets::handle);
        server.start();
    }
}
