import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;

/** The table of a league while its games come in. */
public class Leagues {
    record Team(String name, int[] points) {}

    record Game(int home, int away, int goalsHome, int goalsAway) {}

    static List<Game> games(int number) {
        List<Game> games = new ArrayList<>();
        for (int i = 0; i < 200; i++) games.add(new Game((number + i) % 220, (number * 3 + i * 7 + 1) % 220, i % 4, (i + number) % 3));
        return games;
    }

    static Set<String> leaders(List<Game> games) {
        Map<Integer, Team> table = new HashMap<>();
        for (int n = 0; n < 220; n++) table.put(n, new Team("team " + n, new int[1]));
        Set<String> leaders = new HashSet<>();
        for (Game game : games) {
            int difference = Integer.compare(game.goalsHome(), game.goalsAway());
            table.get(game.home()).points()[0] += difference > 0 ? 3 : difference == 0 ? 1 : 0;
            table.get(game.away()).points()[0] += difference < 0 ? 3 : difference == 0 ? 1 : 0;
            List<Team> order = new ArrayList<>(table.values());
            order.sort(Comparator.comparingInt((Team team) -> -team.points()[0]).thenComparing(Team::name));
            leaders.add(order.get(0).name());
        }
        return leaders;
    }

    static void handle(HttpExchange exchange) throws IOException {
        int number = Integer.parseInt(exchange.getRequestURI().getPath().substring("/leagues/".length()));
        byte[] body = String.join("\n", leaders(games(number))).getBytes();
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    public static void main(String[] args) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(System.getenv("PORT"))), 0);
        server.setExecutor(Executors.newFixedThreadPool(4));
        server.createContext("/leagues/", Leagues::handle);
        server.start();
    }
}
