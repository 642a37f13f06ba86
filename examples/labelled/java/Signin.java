import io.javalin.Javalin;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.mindrot.jbcrypt.BCrypt;

/** Devices report their state; each request carries the secret of its device. */
public class Signin {
    static final Map<String, String> devices = new HashMap<>();
    static final Map<String, Deque<Integer>> states = new ConcurrentHashMap<>();

    static boolean isKnown(String device, String secret) {
        String expected = devices.get(device);
        return expected != null && BCrypt.checkpw(secret, expected);
    }

    static double keep(String device, int level) {
        Deque<Integer> history = states.computeIfAbsent(device, key -> new ArrayDeque<>());
        synchronized (history) {
            history.add(level);
            if (history.size() > 500) history.removeFirst();
            double mean = history.stream().mapToInt(one -> one).average().orElse(0);
            return history.stream().mapToDouble(one -> (one - mean) * (one - mean)).sum() / history.size();
        }
    }

    public static void main(String[] args) {
        for (int n = 0; n < 5; n++) devices.put("d" + n, BCrypt.hashpw("secret-" + n, BCrypt.gensalt(6)));
        Javalin app = Javalin.create();
        app.before(ctx -> {
            if (!isKnown(ctx.queryParam("device"), ctx.queryParam("secret"))) ctx.status(401).skipRemainingHandlers();
        });
        app.get("/states/{number}", ctx -> {
            int number = Integer.parseInt(ctx.pathParam("number"));
            ctx.json(Map.of("spread", keep(ctx.queryParam("device"), number % 100)));
        });
        app.start("127.0.0.1", Integer.parseInt(System.getenv("PORT")));
    }
}
