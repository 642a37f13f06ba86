import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.PriorityQueue;
import java.util.concurrent.Executors;

/** Shortest ways through a city. */
public class Routes {
    record Stop(long distance, int place) {}

    static final int side = 150;

    static int length(int from, int to) {
        return 1 + (from * 7 + to * 13) % 9;
    }

    static long shortest(int start, int end) {
        long[] distances = new long[side * side];
        Arrays.fill(distances, Long.MAX_VALUE);
        distances[start] = 0;
        PriorityQueue<Stop> queue = new PriorityQueue<>((a, b) -> Long.compare(a.distance(), b.distance()));
        queue.add(new Stop(0, start));
        while (!queue.isEmpty()) {
            Stop stop = queue.poll();
            if (stop.place() == end) return stop.distance();
            if (stop.distance() > distances[stop.place()]) continue;
            for (int step : new int[] {-side, -1, 1, side}) {
                int near = stop.place() + step;
                if (near < 0 || near >= distances.length) continue;
                long way = stop.distance() + length(stop.place(), near);
                if (way >= distances[near]) continue;
                distances[near] = way;
                queue.add(new Stop(way, near));
            }
        }
        return -1;
    }

    static void handle(HttpExchange exchange) throws IOException {
        int number = Integer.parseInt(exchange.getRequestURI().getPath().substring("/routes/".length()));
        byte[] body = String.valueOf(shortest(number * 37 % (side * side), number * 1013 % (side * side))).getBytes();
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    public static void main(String[] args) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(System.getenv("PORT"))), 0);
        server.setExecutor(Executors.newFixedThreadPool(4));
        server.createContext("/routes/", Routes::handle);
        server.start();
    }
}
