import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.BlockingHandler;
import java.util.ArrayList;
import java.util.List;

/** Small pictures of large ones, in grey. */
public class Thumbs {
    static final int side = 512;
    static final List<byte[]> pictures = new ArrayList<>();

    static int[] unpack(byte[] picture) {
        int[] pixels = new int[side * side];
        for (int i = 0; i < pixels.length; i++) pixels[i] = picture[i] & 0xff;
        return pixels;
    }

    static String thumb(int[] pixels, int size) {
        StringBuilder text = new StringBuilder();
        int step = side / size;
        for (int y = 0; y < size; y++) {
            for (int x = 0; x < size; x++) {
                int sum = 0;
                for (int d = 0; d < step; d++) sum += pixels[(y * step + d) * side + x * step + d];
                text.append((char) ('a' + sum / step % 26));
            }
        }
        return text.toString();
    }

    static void handle(HttpServerExchange exchange) {
        int number = Integer.parseInt(exchange.getRequestPath().substring("/thumbs/".length()));
        exchange.getResponseSender().send(thumb(unpack(pictures.get(number % 20)), 32));
    }

    public static void main(String[] args) {
        for (int n = 0; n < 20; n++) {
            byte[] picture = new byte[side * side];
            for (int i = 0; i < picture.length; i++) picture[i] = (byte) (i * 31 + n);
            pictures.add(picture);
        }
        int port = Integer.parseInt(System.getenv("PORT"));
        Undertow.builder().addHttpListener(port, "127.0.0.1").setHandler(new BlockingHandler(Thumbs::handle)).build().start();
    }
}
