import io.javalin.Javalin;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.beanutils.BeanUtils;

/** Contacts of companies, mapped from stored rows to what callers see. */
public class Contacts {
    public static class Row {
        private String name;
        private String mail;
        private int age;
        private long changed;

        public String getName() { return name; }
        public void setName(String name) { this.name = name; }
        public String getMail() { return mail; }
        public void setMail(String mail) { this.mail = mail; }
        public int getAge() { return age; }
        public void setAge(int age) { this.age = age; }
        public long getChanged() { return changed; }
        public void setChanged(long changed) { this.changed = changed; }
    }

    public static class Contact extends Row {}

    static final List<Row> rows = new ArrayList<>();

    static Contact toContact(Row row) {
        try {
            Contact contact = new Contact();
            BeanUtils.copyProperties(contact, row);
            return contact;
        } catch (ReflectiveOperationException wrong) {
            throw new IllegalStateException(wrong);
        }
    }

    static List<Contact> page(int number) {
        int first = number * 13 % 4000;
        return rows.subList(first, first + 200).stream().map(Contacts::toContact).filter(one -> one.getAge() < 70).toList();
    }

    public static void main(String[] args) {
        for (int n = 0; n < 5000; n++) {
            Row row = new Row();
            row.setName("person " + n);
            row.setMail("person" + n + "@example.org");
            row.setAge(n % 90);
            rows.add(row);
        }
        Javalin.create()
            .get("/contacts/{number}", ctx -> ctx.json(page(Integer.parseInt(ctx.pathParam("number")))))
            .start("127.0.0.1", Integer.parseInt(System.getenv("PORT")));
    }
}
