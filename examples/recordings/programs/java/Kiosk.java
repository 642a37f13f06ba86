import io.pyroscope.labels.v2.LabelsSet;
import io.pyroscope.labels.v2.Pyroscope;
import java.util.ArrayList;
import java.util.List;

/** Runs under Pyroscope's agent, which sends CPU, allocation and lock profiles as JFR. */
public class Kiosk {
    static final List<byte[]> papers = new ArrayList<>();
    static final Object lock = new Object();
    static long sold;

    public static void main(String[] args) {
        for (int i = 0; i < 3; i++) new Thread(Kiosk::work, "clerk-" + i).start();
    }

    static void work() {
        while (true) {
            for (String paper : List.of("morning", "evening")) {
                Pyroscope.LabelsWrapper.run(new LabelsSet("paper", paper), () -> {
                    long words = 0;
                    for (int i = 0; i < 20_000; i++) words += countWords("extra extra read all about it");
                    sell(words);
                });
            }
        }
    }

    static long countWords(String text) {
        long sum = 0;
        for (String word : text.split(" ")) sum += word.length();
        return sum;
    }

    static void sell(long words) {
        synchronized (lock) {
            sold += words;
            if (papers.size() < 200) papers.add(new byte[32 << 10]);
            try {
                Thread.sleep(20);
            } catch (InterruptedException stop) {
                throw new IllegalStateException(stop);
            }
        }
    }
}
