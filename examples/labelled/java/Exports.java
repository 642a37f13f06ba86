import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.BlockingHandler;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.zip.Deflater;

/** Exports of measurements as compressed CSV. */
public class Exports {
    static final double[][] temperatures = new double[20][1500];

    static String rows(double[] series) {
        StringBuilder text = new StringBuilder("time,temperature\n");
        for (int i = 0; i < series.length; i++) text.append(1_760_000_000L + i * 60).append(',').append(series[i]).append('\n');
        return text.toString();
    }

    static byte[] pack(String text) {
        Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION);
        deflater.setInput(text.getBytes(StandardCharsets.UTF_8));
        deflater.finish();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] buffer = new byte[8192];
        while (!deflater.finished()) out.write(buffer, 0, deflater.deflate(buffer));
        deflater.end();
        return out.toByteArray();
    }

    static void handle(HttpServerExchange exchange) {
        int number = Integer.parseInt(exchange.getRequestPath().substring("/exports/".length()));
        exchange.getResponseSender().send(ByteBuffer.wrap(pack(rows(temperatures[number % 20]))));
    }

    public static void main(String[] args) {
        Random random = new Random(3);
        for (double[] series : temperatures) for (int i = 0; i < series.length; i++) series[i] = Math.round(random.nextGaussian() * 4000) / 1000.0;
        int port = Integer.parseInt(System.getenv("PORT"));
        Undertow.builder().addHttpListener(port, "127.0.0.1").setHandler(new BlockingHandler(Exports::handle)).build().start();
    }
}
