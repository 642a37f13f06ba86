import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.BlockingHandler;
import java.util.ArrayList;
import java.util.List;

/** Feeds of events, in the text form of an old client. */
public class Feeds {
    record Event(int id, String kind, long at) {}

    static final List<Event> events = new ArrayList<>();

    static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }

    static String feed(List<Event> selected) {
        String body = "<feed>\n";
        for (Event event : selected) {
            body += "<event id='" + event.id() + "' at='" + event.at() + "'>" + escape(event.kind()) + "</event>\n";
        }
        return body + "</feed>";
    }

    static void handle(HttpServerExchange exchange) {
        int number = Integer.parseInt(exchange.getRequestPath().substring("/feeds/".length()));
        int first = number * 17 % 1500;
        exchange.getResponseSender().send(feed(events.subList(first, first + 900)));
    }

    public static void main(String[] args) {
        for (int n = 0; n < 4000; n++) events.add(new Event(n, List.of("open", "close", "move").get(n % 3), 1_760_000_000L + n * 5));
        int port = Integer.parseInt(System.getenv("PORT"));
        Undertow.builder().addHttpListener(port, "127.0.0.1").setHandler(new BlockingHandler(Feeds::handle)).build().start();
    }
}
