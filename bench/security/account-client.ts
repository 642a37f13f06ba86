export interface Person {
  readonly email: string;
  readonly password: string;
  readonly refreshToken: string;
}

interface Answer {
  readonly status: number;
  readonly ms: number;
  readonly refreshToken: string | undefined;
}

const atOnce = 10;

/** Makes the calls of accounts, each from another address. */
export class AccountClient {
  readonly #url: string;
  #calls = 0;
  #people = 0;

  constructor(url: string) {
    this.#url = url;
  }

  async register(): Promise<Person> {
    const email = `person${this.#people++}@example.com`;
    const password = `the password of ${email}`;
    const body = { email, password, first_name: "Ada", last_name: "Lovelace" };
    const { status, refreshToken } = await this.#post("/auth/register", { body });
    if (refreshToken === undefined) throw new Error(`a registration was answered with ${status}`);
    return { email, password, refreshToken };
  }

  async registerAll(count: number): Promise<Person[]> {
    const people: Person[] = [];
    while (people.length < count) {
      const next = Math.min(atOnce, count - people.length);
      people.push(...(await Promise.all(Array.from({ length: next }, () => this.register()))));
    }
    return people;
  }

  refresh(token: string): Promise<Answer> {
    return this.#post("/auth/refresh-token", { token });
  }

  login(email: string, password: string): Promise<Answer> {
    return this.#post("/auth/login", { body: { email, password } });
  }

  forgot(email: string): Promise<Answer> {
    return this.#post("/auth/forgot-password", { body: { email } });
  }

  async #post(path: string, { body, token }: { body?: object; token?: string }): Promise<Answer> {
    const call = this.#calls++;
    const headers = {
      "x-forwarded-for": `10.${(call >> 16) & 255}.${(call >> 8) & 255}.${call & 255}`,
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    const startedAt = performance.now();
    const reply = await fetch(this.#url + path, {
      method: "POST",
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = (await reply.json()) as { tokens?: { refresh_token: string } };
    const ms = performance.now() - startedAt;
    return { status: reply.status, ms, refreshToken: answer.tokens?.refresh_token };
  }
}
