import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/** Stores blocks of backups once each. */
public class Backups {
    static final Map<String, byte[]> blocks = new ConcurrentHashMap<>();
    static final byte[][] sources = new byte[40][200_000];

    static byte[] compress(byte[] block, int from, int length) {
        Deflater fast = new Deflater(Deflater.BEST_SPEED);
        ByteArrayOutputStream out = new ByteArrayOutputStream(length);
        try (DeflaterOutputStream deflated = new DeflaterOutputStream(out, fast)) {
            deflated.write(block, from, length);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        } finally {
            fast.end();
        }
        return out.toByteArray();
    }

    static String keep(byte[] source, int from, int length, int number) throws GeneralSecurityException {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        digest.update(source, from, length);
        digest.update((byte) number);
        String name = HexFormat.of().formatHex(digest.digest());
        blocks.computeIfAbsent(name, key -> compress(source, from, length));
        return name;
    }

    static void handle(HttpExchange exchange) throws IOException {
        int number = Integer.parseInt(exchange.getRequestURI().getPath().substring("/backups/".length()));
        StringBuilder names = new StringBuilder();
        byte[] source = sources[number % sources.length];
        try {
            for (int from = 0; from + 16_384 <= source.length; from += 16_384) names.append(keep(source, from, 16_384, number)).append('\n');
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException(missing);
        }
        if (blocks.size() > 2000) blocks.clear();
        exchange.sendResponseHeaders(200, names.length());
        exchange.getResponseBody().write(names.toString().getBytes());
        exchange.close();
    }

    public static void main(String[] args) throws IOException {
        Random random = new Random(1);
        for (byte[] source : sources) random.nextBytes(source);
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(System.getenv("PORT"))), 0);
        server.setExecutor(Executors.newFixedThreadPool(4));
        server.createContext("/backups/", Backups::handle);
        server.start();
    }
}
