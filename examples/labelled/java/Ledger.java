import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.FileAppender;
import io.javalin.Javalin;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Books payments to accounts. */
public class Ledger {
    static final Logger log = LoggerFactory.getLogger(Ledger.class);
    static final Map<Integer, Double> accounts = new ConcurrentHashMap<>();

    static void book(int account, double amount) {
        double after = accounts.merge(account, amount, Double::sum);
        log.info("booked {} on account {}: {} after", amount, account, after);
    }

    static double interest() {
        return accounts.values().stream().filter(balance -> balance > 10).mapToDouble(balance -> balance * 1e-4).sum();
    }

    static void logToFile() {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern("%d{ISO8601} %-5level [%thread] %logger{36} %method:%line %msg%n");
        encoder.start();
        FileAppender<ILoggingEvent> file = new FileAppender<>();
        file.setContext(context);
        file.setFile("/dev/null");
        file.setEncoder(encoder);
        file.start();
        var root = context.getLogger("ROOT");
        root.detachAndStopAllAppenders();
        root.setLevel(ch.qos.logback.classic.Level.INFO);
        root.addAppender(file);
    }

    public static void main(String[] args) {
        logToFile();
        Javalin.create().get("/payments/{number}", ctx -> {
            int number = Integer.parseInt(ctx.pathParam("number"));
            for (int i = 0; i < 100; i++) book((number + i * 7) % 300, (number + i) % 50 / 4.0);
            ctx.json(Map.of("payment", number, "interest", interest()));
        }).start("127.0.0.1", Integer.parseInt(System.getenv("PORT")));
    }
}
