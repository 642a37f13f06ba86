import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Reads sheets whose cells are numbers or notes. */
@RestController
@EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
public class Cells {
    record Sums(double[] sums, int notes) {}

    final List<List<String>> sheet = new ArrayList<>();

    Cells() {
        for (int row = 0; row < 300; row++) sheet.add(List.of("n/a", "-", "note " + row, "x", row + ".5", "unknown"));
    }

    static boolean isNumber(String cell) {
        try {
            Double.parseDouble(cell);
            return true;
        } catch (NumberFormatException notANumber) {
            return false;
        }
    }

    Sums columnSums() {
        double[] sums = new double[6];
        int notes = 0;
        for (List<String> row : sheet) {
            for (int column = 0; column < 6; column++) {
                if (isNumber(row.get(column))) sums[column] += Double.parseDouble(row.get(column));
                else notes++;
            }
        }
        return new Sums(sums, notes);
    }

    @GetMapping("/sheets/{number}")
    Sums sheet(@PathVariable("number") int number) {
        return columnSums();
    }

    public static void main(String[] args) {
        SpringApplication app = new SpringApplication(Cells.class);
        app.setDefaultProperties(Map.of("server.port", System.getenv("PORT"), "server.address", "127.0.0.1"));
        app.run(args);
    }
}
