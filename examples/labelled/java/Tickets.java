import io.javalin.Javalin;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32;

/** Sells tickets; one register holds all shows. */
public class Tickets {
    static final Map<Integer, Integer> sold = new LinkedHashMap<>();
    static long checksum;

    static synchronized int sell(int show, int seats) {
        int count = sold.merge(show, seats, Integer::sum);
        CRC32 crc = new CRC32();
        for (Map.Entry<Integer, Integer> entry : sold.entrySet()) {
            crc.update(entry.getKey());
            crc.update(entry.getValue());
            for (int i = 0; i < 40; i++) crc.update(i);
        }
        checksum = crc.getValue();
        return count;
    }

    static double price(int show, int seat) {
        double price = 20;
        for (int i = 0; i < 2000; i++) price += Math.sin(show * i + seat) / 100;
        return price;
    }

    public static void main(String[] args) {
        for (int show = 0; show < 3000; show++) sold.put(show, 0);
        Javalin.create().get("/tickets/{number}", ctx -> {
            int number = Integer.parseInt(ctx.pathParam("number"));
            double price = price(number % 3000, number % 7);
            ctx.json(Map.of("sold", sell(number % 3000, 1 + number % 4), "price", price));
        }).start("127.0.0.1", Integer.parseInt(System.getenv("PORT")));
    }
}
