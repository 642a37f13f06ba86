import io.javalin.Javalin;
import java.util.Locale;

/** Invoices as tables. */
public class Invoices {
    static String line(int number, int i) {
        int count = 1 + (number + i) % 4;
        double price = 3.2 * i;
        return String.format(Locale.GERMANY, "<tr><td>%05d</td><td>%-20s</td><td>%d</td><td>%,.2f</td></tr>%n", i, "item " + i, count, price * count);
    }

    static double total(int number) {
        double total = 0;
        for (int i = 0; i < 150; i++) total += 3.2 * i * (1 + (number + i) % 4);
        return Math.round(total * 119) / 100.0;
    }

    static String invoice(int number) {
        StringBuilder table = new StringBuilder("<table>");
        for (int i = 0; i < 150; i++) table.append(line(number, i));
        return table.append("</table><p>").append(total(number)).append("</p>").toString();
    }

    public static void main(String[] args) {
        Javalin.create()
            .get("/invoices/{number}", ctx -> ctx.html(invoice(Integer.parseInt(ctx.pathParam("number")))))
            .start("127.0.0.1", Integer.parseInt(System.getenv("PORT")));
    }
}
