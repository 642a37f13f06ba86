import io.javalin.Javalin;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;

/** Waiting times of the queues of an office. */
public class Queues {
    static final List<List<Integer>> queues = new LinkedList<>();

    static double meanWait(List<Integer> arrivals, int desks) {
        long waited = 0;
        for (int i = 0; i < arrivals.size(); i++) {
            int before = i < desks ? 0 : arrivals.get(i - desks);
            waited += Math.max(0, before + 300 - arrivals.get(i));
        }
        return (double) waited / arrivals.size();
    }

    static int longestGap(List<Integer> arrivals) {
        int last = 0;
        int gap = 0;
        for (int at : arrivals) {
            gap = Math.max(gap, at - last);
            last = at;
        }
        return gap;
    }

    public static void main(String[] args) {
        for (int q = 0; q < 20; q++) {
            List<Integer> queue = new LinkedList<>();
            for (int i = 0; i < 1500; i++) queue.add(i * 70 + i * i % 40 + q);
            queues.add(queue);
        }
        Javalin.create().get("/queues/{number}", ctx -> {
            int number = Integer.parseInt(ctx.pathParam("number"));
            List<Integer> arrivals = queues.get(number % 20);
            ctx.json(Map.of("wait", meanWait(arrivals, 1 + number % 5), "gap", longestGap(arrivals)));
        }).start("127.0.0.1", Integer.parseInt(System.getenv("PORT")));
    }
}
