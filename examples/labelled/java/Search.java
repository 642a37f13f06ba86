import io.javalin.Javalin;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;

/** Full-text search over articles, with an index in memory. */
public class Search {
    record Posting(int article, int count) {}

    record Hit(int article, double score) {}

    static final int articles = 8000;
    static final Map<String, List<Posting>> index = new HashMap<>();

    static void build() {
        Random random = new Random(5);
        for (int article = 0; article < articles; article++) {
            Map<String, Integer> counts = new HashMap<>();
            for (int i = 0; i < 120; i++) counts.merge("word" + random.nextInt(800), 1, Integer::sum);
            int number = article;
            counts.forEach((word, count) -> index.computeIfAbsent(word, key -> new ArrayList<>()).add(new Posting(number, count)));
        }
    }

    static double[] scores(List<String> words) {
        double[] scores = new double[articles];
        for (String word : words) {
            List<Posting> found = index.getOrDefault(word, List.of());
            double weight = Math.log((double) articles / (1 + found.size()));
            for (Posting posting : found) scores[posting.article()] += weight * posting.count() / (posting.count() + 1.2);
        }
        return scores;
    }

    static List<Hit> best(double[] scores, int count) {
        PriorityQueue<Hit> queue = new PriorityQueue<>((a, b) -> Double.compare(a.score(), b.score()));
        for (int i = 0; i < scores.length; i++) {
            if (queue.size() < count) queue.add(new Hit(i, scores[i]));
            else if (scores[i] > queue.peek().score()) {
                queue.poll();
                queue.add(new Hit(i, scores[i]));
            }
        }
        return queue.stream().sorted((a, b) -> Double.compare(b.score(), a.score())).toList();
    }

    public static void main(String[] args) {
        build();
        Javalin.create().get("/search/{number}", ctx -> {
            int number = Integer.parseInt(ctx.pathParam("number"));
            List<String> words = new ArrayList<>();
            for (int i = 0; i < 12; i++) words.add("word" + (number * 13 + i * 7) % 800);
            ctx.json(best(scores(words), 10));
        }).start("127.0.0.1", Integer.parseInt(System.getenv("PORT")));
    }
}
