import com.github.mustachejava.DefaultMustacheFactory;
import com.github.mustachejava.Mustache;
import io.javalin.Javalin;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Pages of a magazine; the template is compiled once. */
public class Pages {
    record Article(int id, String title, String author, List<String> text, List<String> tags) {}

    static final String source = """
        <html><head><title>{{title}}</title></head><body>
        {{#articles}}<article id="a{{id}}"><h2>{{title}}</h2><p>by {{author}}</p>
        {{#text}}<p>{{.}}</p>{{/text}}<ul>{{#tags}}<li>{{.}}</li>{{/tags}}</ul></article>{{/articles}}
        </body></html>
        """;
    static final Mustache issue = new DefaultMustacheFactory().compile(new StringReader(source), "issue");

    static List<Article> articles(int number) {
        List<Article> articles = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            List<String> text = new ArrayList<>();
            for (int p = 0; p < 8; p++) text.add("Paragraph " + p + " & more of " + number);
            articles.add(new Article(number * 100 + i, "Article <" + i + ">", "author " + i % 7, text, List.of("tag", "tag" + i % 5)));
        }
        return articles;
    }

    public static void main(String[] args) {
        Javalin.create().get("/issues/{number}", ctx -> {
            int number = Integer.parseInt(ctx.pathParam("number"));
            StringWriter out = new StringWriter();
            issue.execute(out, Map.of("title", "Issue " + number, "articles", articles(number)));
            ctx.html(out.toString());
        }).start("127.0.0.1", Integer.parseInt(System.getenv("PORT")));
    }
}
