import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.BlockingHandler;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Translates orders of partners; readers and writers are made once. */
public class Partners {
    record Line(String sku, int count, double price) {}

    record Order(int id, String partner, List<Line> lines) {}

    record Answer(int id, long cents, List<Line> largest) {}

    static final ObjectMapper mapper = new ObjectMapper();
    static final ObjectReader reader = mapper.readerFor(new TypeReference<Order>() {});
    static final ObjectWriter writer = mapper.writerFor(Answer.class);
    static final List<byte[]> messages = new ArrayList<>();

    static byte[] message(int number) throws IOException {
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < 300; i++) lines.add(new Line("S" + i, 1 + i % 4, (i + number) % 90 * 1.1));
        return mapper.writeValueAsBytes(new Order(number, "partner " + number % 9, lines));
    }

    static Answer translate(Order order) {
        long cents = Math.round(order.lines().stream().mapToDouble(line -> line.count() * line.price() * 100).sum());
        List<Line> largest = order.lines().stream().filter(line -> line.price() > 80).limit(10).toList();
        return new Answer(order.id(), cents, largest);
    }

    static void handle(HttpServerExchange exchange) throws IOException {
        int number = Integer.parseInt(exchange.getRequestPath().substring("/partners/".length()));
        Order order = reader.readValue(messages.get(number % messages.size()));
        exchange.getResponseSender().send(writer.writeValueAsString(translate(order)));
    }

    public static void main(String[] args) throws IOException {
        for (int n = 0; n < 50; n++) messages.add(message(n));
        int port = Integer.parseInt(System.getenv("PORT"));
        Undertow.builder().addHttpListener(port, "127.0.0.1").setHandler(new BlockingHandler(Partners::handle)).build().start();
    }
}
