import io.javalin.Javalin;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

public class Quotes {
    static double rateFor(String code) {
        for (int n = 0; n < 300; n++) {
            if (Pattern.compile("^z" + n + "-(\\d+)[a-z]*$", Pattern.CASE_INSENSITIVE).matcher(code).matches()) return 1 + n / 80.0;
        }
        return 1;
    }

    public static void main(String[] args) {
        Javalin.create().get("/quotes/{number}", ctx -> {
            int number = Integer.parseInt(ctx.pathParam("number"));
            List<String> lines = new ArrayList<>();
            double price = 0;
            for (int i = 0; i < 8; i++) {
                lines.add("Z" + (number * 7 + i) % 500 + "-" + i + "a");
                price += rateFor(lines.get(i));
            }
            ctx.json(Map.of("price", price, "lines", lines));
        }).start("127.0.0.1", Integer.parseInt(System.getenv("PORT")));
    }
}
