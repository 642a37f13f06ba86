import java.util.List;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Stock of warehouses in H2. */
@RestController
@EnableAutoConfiguration
public class Stock {
    record Supplier(String name, int days) {}

    record Item(int id, int count, Supplier supplier) {}

    final JdbcTemplate jdbc;

    Stock(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
        jdbc.execute("CREATE TABLE item (id INT PRIMARY KEY, warehouse INT, supplier INT, count INT)");
        jdbc.execute("CREATE INDEX of_warehouse ON item (warehouse)");
        jdbc.execute("CREATE TABLE supplier (id INT PRIMARY KEY, name VARCHAR(40), days INT)");
        for (int n = 0; n < 6000; n++) jdbc.update("INSERT INTO item VALUES (?, ?, ?, ?)", n, n % 40, n % 300, n % 23);
        for (int n = 0; n < 300; n++) jdbc.update("INSERT INTO supplier VALUES (?, ?, ?)", n, "supplier " + n, n % 9);
    }

    Supplier supplier(int id) {
        return jdbc.queryForObject("SELECT name, days FROM supplier WHERE id = ?", (row, i) -> new Supplier(row.getString(1), row.getInt(2)), id);
    }

    List<Item> lowItems(int warehouse) {
        List<Map<String, Object>> rows = jdbc.queryForList("SELECT id, supplier, count FROM item WHERE warehouse = ? AND count < 20", warehouse);
        return rows.stream()
            .map(row -> new Item((int) row.get("ID"), (int) row.get("COUNT"), supplier((int) row.get("SUPPLIER"))))
            .toList();
    }

    @GetMapping("/warehouses/{number}/low")
    List<Item> low(@PathVariable("number") int number) {
        return lowItems(number % 40);
    }

    public static void main(String[] args) {
        SpringApplication app = new SpringApplication(Stock.class);
        app.setDefaultProperties(Map.of("server.port", System.getenv("PORT"), "server.address", "127.0.0.1"));
        app.run(args);
    }
}
