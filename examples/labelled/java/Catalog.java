import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/** Products of a shop, as JSON. */
public class Catalog {
    record Price(double amount, String currency) {}

    record Product(String sku, String title, List<String> tags, Price price, LocalDate since) {}

    static final List<Product> products = new ArrayList<>();

    static String toJson(Object value) throws JsonProcessingException {
        ObjectMapper mapper = new ObjectMapper().registerModule(new JavaTimeModule());
        return mapper.writeValueAsString(value);
    }

    static List<Product> page(int number) {
        return products.stream().filter(one -> one.price().amount() > number % 100).skip(number % 50).limit(25).toList();
    }

    static void handle(HttpServerExchange exchange) throws JsonProcessingException {
        int number = Integer.parseInt(exchange.getRequestPath().substring("/catalog/".length()));
        StringBuilder body = new StringBuilder("{\"products\":[");
        for (Product product : page(number)) body.append(toJson(product)).append(',');
        exchange.getResponseSender().send(body.append("null]}").toString());
    }

    public static void main(String[] args) {
        for (int n = 0; n < 2000; n++) {
            List<String> tags = List.of("new", "sale", "group-" + n % 12);
            products.add(new Product("P" + n, "Product " + n, tags, new Price(n * 1.25, "EUR"), LocalDate.of(2026, 1 + n % 12, 1)));
        }
        int port = Integer.parseInt(System.getenv("PORT"));
        Undertow.builder().addHttpListener(port, "127.0.0.1").setHandler(Catalog::handle).build().start();
    }
}
