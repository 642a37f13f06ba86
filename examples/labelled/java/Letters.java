import freemarker.template.Configuration;
import freemarker.template.Template;
import freemarker.template.TemplateException;
import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.BlockingHandler;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Letters to customers, from templates that the office edits. */
public class Letters {
    static final Configuration configuration = new Configuration(Configuration.VERSION_2_3_33);
    static final String source = """
        <h1>Dear ${name?cap_first}</h1>
        <#list lines as line><#if line.count gt 0><p>${line.count} x ${line.title?upper_case} at ${line.price}</p>
        <#else><p>${line.title} is not available.</p></#if></#list>
        <#macro address a><div>${a.street}, ${a.zip} ${a.city}</div></#macro>
        <@address home/><#if lines?size gt 3><p>We ship in parts.</p></#if>
        <p>We thank you, ${office!"the office"}.</p>
        """;

    static Map<String, Object> customer(int number) {
        List<Map<String, Object>> lines = new ArrayList<>();
        for (int i = 0; i < 12; i++) lines.add(Map.of("count", (number + i) % 3, "title", "book " + i, "price", 4.5 + i));
        Map<String, Object> home = Map.of("street", "Long Street " + number, "zip", "10115", "city", "Berlin");
        return Map.of("name", "reader " + number, "lines", lines, "home", home);
    }

    static String write(int number) throws IOException, TemplateException {
        Template template = new Template("letter", new StringReader(source), configuration);
        StringWriter out = new StringWriter();
        template.process(customer(number), out);
        return out.toString();
    }

    static void handle(HttpServerExchange exchange) throws IOException, TemplateException {
        int number = Integer.parseInt(exchange.getRequestPath().substring("/letters/".length()));
        exchange.getResponseSender().send(write(number));
    }

    public static void main(String[] args) {
        int port = Integer.parseInt(System.getenv("PORT"));
        Undertow.builder().addHttpListener(port, "127.0.0.1").setHandler(new BlockingHandler(Letters::handle)).build().start();
    }
}
