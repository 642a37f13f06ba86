import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A small shop whose profiles io.pyroscope:agent sends, and that sends HTTP metrics. run.sh starts it. */
public class Service {
    static final String METRICS = System.getenv("FLAMEKEEP_URL") + "/api/v1/ingest/http-metrics?service=checkout-java";
    static final ConcurrentLinkedQueue<String> requests = new ConcurrentLinkedQueue<>();

    static long hashPrices(int count) {
        long total = 0;
        for (int price = 0; price < count; price++) total = total * 31 + price;
        return total;
    }

    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(System.getenv("PORT"));
        HttpServer shop = HttpServer.create(new InetSocketAddress("localhost", port), 0);
        shop.createContext("/", exchange -> {
            long begin = System.currentTimeMillis();
            byte[] text = (hashPrices(5_000_000) + "\n").getBytes();
            exchange.sendResponseHeaders(200, text.length);
            exchange.getResponseBody().write(text);
            exchange.close();
            double seconds = (System.currentTimeMillis() - begin) / 1000.0;
            requests.add("{\"timestamp\":" + begin + ",\"duration\":" + seconds
                + ",\"status_code\":200,\"method\":\"GET\",\"path\":\"/orders/{id}\"}");
        });
        shop.start();
        HttpClient client = HttpClient.newHttpClient();
        while (true) {
            Thread.sleep(5_000);
            String body = Stream.generate(requests::poll).takeWhile(each -> each != null)
                .collect(Collectors.joining(",", "[", "]"));
            if (body.equals("[]")) continue;
            HttpRequest request = HttpRequest.newBuilder(URI.create(METRICS))
                .header("X-API-Key", System.getenv("FLAMEKEEP_KEY"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body)).build();
            int status = client.send(request, BodyHandlers.discarding()).statusCode();
            if (status != 200) System.err.println("metrics were refused: " + status);
        }
    }
}
