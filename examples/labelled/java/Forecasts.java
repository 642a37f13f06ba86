import com.google.gson.Gson;
import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.BlockingHandler;

/** Forecasts of demand, in arrays. */
public class Forecasts {
    record Forecast(double level, double[] hours, double trend) {}

    static final double[][] history = new double[60][20_000];
    static final double[] kernel = new double[48];
    static final Gson gson = new Gson();

    static double[] smooth(double[] series) {
        double[] level = new double[series.length - kernel.length];
        for (int i = 0; i < level.length; i++) {
            double sum = 0;
            for (int k = 0; k < kernel.length; k++) sum += series[i + k] * kernel[k];
            level[i] = sum;
        }
        return level;
    }

    static double[] byHour(double[] series) {
        double[] hours = new double[24];
        for (int i = 0; i < series.length; i++) hours[i % 24] += series[i] * 24 / series.length;
        return hours;
    }

    static double trend(double[] level) {
        double mean = 0;
        for (int i = 0; i < level.length; i++) mean += level[i] / level.length;
        double above = 0;
        double below = 0;
        for (int i = 0; i < level.length; i++) {
            double x = i - level.length / 2.0;
            above += x * (level[i] - mean);
            below += x * x;
        }
        return above / below;
    }

    static void handle(HttpServerExchange exchange) {
        double[] series = history[Integer.parseInt(exchange.getRequestPath().substring("/forecasts/".length())) % 60];
        double[] level = smooth(series);
        exchange.getResponseSender().send(gson.toJson(new Forecast(level[level.length - 1], byHour(series), trend(level))));
    }

    public static void main(String[] args) {
        for (int k = 0; k < kernel.length; k++) kernel[k] = Math.exp(-k / 12.0);
        for (int s = 0; s < history.length; s++) for (int i = 0; i < history[s].length; i++) history[s][i] = Math.sin(i / 24.0 * 2 * Math.PI) * 10 + (i * 31 + s) % 40;
        int port = Integer.parseInt(System.getenv("PORT"));
        Undertow.builder().addHttpListener(port, "127.0.0.1").setHandler(new BlockingHandler(Forecasts::handle)).build().start();
    }
}
