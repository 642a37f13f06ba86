import java.util.List;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Orders of customers, each page with one query. */
@RestController
@EnableAutoConfiguration
public class Orders {
    record Day(String customer, int day, int orders, long cents) {}

    static final String page = """
        SELECT c.name, p.on_day, count(*), sum(p.cents) FROM purchase p JOIN customer c ON c.id = p.customer
        WHERE p.customer BETWEEN ? AND ? GROUP BY c.name, p.on_day ORDER BY c.name, p.on_day
        """;
    final JdbcTemplate jdbc;

    Orders(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
        jdbc.execute("CREATE TABLE customer (id INT PRIMARY KEY, name VARCHAR(40))");
        jdbc.execute("CREATE TABLE purchase (id INT PRIMARY KEY, customer INT, on_day INT, cents INT)");
        jdbc.execute("CREATE INDEX of_customer ON purchase (customer, on_day)");
        for (int n = 0; n < 300; n++) jdbc.update("INSERT INTO customer VALUES (?, ?)", n, "customer " + n);
        for (int n = 0; n < 30_000; n++) jdbc.update("INSERT INTO purchase VALUES (?, ?, ?, ?)", n, n % 300, n % 365, n * 7 % 9000);
    }

    List<Day> page(int first) {
        return jdbc.query(page, (row, i) -> new Day(row.getString(1), row.getInt(2), row.getInt(3), row.getLong(4)), first, first + 5);
    }

    @GetMapping("/orders/{number}")
    List<Day> orders(@PathVariable("number") int number) {
        return page(number % 290);
    }

    public static void main(String[] args) {
        SpringApplication app = new SpringApplication(Orders.class);
        app.setDefaultProperties(Map.of("server.port", System.getenv("PORT"), "server.address", "127.0.0.1"));
        app.run(args);
    }
}
