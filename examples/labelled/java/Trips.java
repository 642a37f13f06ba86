import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.text.ParseException;
import java.text.SimpleDateFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Calendar;
import java.util.List;
import java.util.concurrent.Executors;

/** Trips of rented bicycles, summed by hour. */
public class Trips {
    record Trip(int bike, String start, int metres) {}

    static final List<Trip> trips = new ArrayList<>();

    static int hourOf(Trip trip) {
        try {
            SimpleDateFormat format = new SimpleDateFormat("yyyy-MM-dd HH:mm:ss");
            Calendar calendar = Calendar.getInstance();
            calendar.setTime(format.parse(trip.start()));
            return calendar.get(Calendar.HOUR_OF_DAY);
        } catch (ParseException wrong) {
            throw new IllegalArgumentException(wrong);
        }
    }

    static int[] byHour(List<Trip> selected) {
        int[] metres = new int[24];
        for (Trip trip : selected) metres[hourOf(trip)] += trip.metres();
        return metres;
    }

    static void handle(HttpExchange exchange) throws IOException {
        int number = Integer.parseInt(exchange.getRequestURI().getPath().substring("/trips/".length()));
        List<Trip> selected = trips.subList(number * 31 % 5000, number * 31 % 5000 + 700);
        double calories = selected.stream().mapToDouble(trip -> trip.metres() / 1000.0 * 23.5).sum();
        byte[] body = (Arrays.toString(byHour(selected)) + " " + calories).getBytes();
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    public static void main(String[] args) throws IOException {
        for (int n = 0; n < 6000; n++) trips.add(new Trip(n % 90, String.format("2026-03-%02d %02d:%02d:00", 1 + n % 28, n % 24, n % 60), 300 + n * 7 % 5000));
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(System.getenv("PORT"))), 0);
        server.setExecutor(Executors.newFixedThreadPool(4));
        server.createContext("/trips/", Trips::handle);
        server.start();
    }
}
