// What applications do with drizzle-orm, by each of its drivers that people use with Neon.
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import test from "node:test";
import { Pool, neon, neonConfig } from "@neondatabase/serverless";
import { and, arrayContains, asc, count, eq, relations, sql } from "drizzle-orm";
import { drizzle as overHttp } from "drizzle-orm/neon-http";
import { migrate as migrateHttp } from "drizzle-orm/neon-http/migrator";
import { drizzle as overSockets } from "drizzle-orm/neon-serverless";
import { migrate as migrateSockets } from "drizzle-orm/neon-serverless/migrator";
import { drizzle as overTCP } from "drizzle-orm/node-postgres";
import { migrate as migrateTCP } from "drizzle-orm/node-postgres/migrator";
import { bigint, customType, date, integer, jsonb, numeric, pgSchema, serial, text, timestamp, uuid } from "drizzle-orm/pg-core";
import pg from "pg";
import ws from "ws";

const url = process.env.DATABASE_URL;
const bytea = customType({ dataType: () => "bytea" });
neonConfig.webSocketConstructor = globalThis.WebSocket ?? ws;

const drivers = {
  "neon-http": { open: (schema) => overHttp({ client: neon(url), schema }), migrate: migrateHttp },
  "neon-serverless": { open: (schema) => overSockets({ client: new Pool({ connectionString: url }), schema }), migrate: migrateSockets, sessions: true },
  "node-postgres": { open: (schema) => overTCP({ client: new pg.Pool({ connectionString: url }), schema }), migrate: migrateTCP, sessions: true },
};

// tablesIn has the tables of each driver in a schema of its own.
function tablesIn(name) {
  const schema = pgSchema(name);
  const mood = schema.enum("mood", ["happy", "sad"]);
  const authors = schema.table("authors", {
    id: serial().primaryKey(), key: uuid().defaultRandom().notNull(), email: text().notNull().unique(), tags: text().array(), grid: integer().array().array(), about: jsonb(),
    born: date({ mode: "date" }), seen: timestamp({ withTimezone: true }), worth: numeric({ precision: 12, scale: 2 }), big: bigint({ mode: "bigint" }),
    mood: mood().default("happy"), picture: bytea(),
  });
  const posts = schema.table("posts", { id: serial().primaryKey(), title: text(), authorId: integer().notNull().references(() => authors.id) });
  return {
    authors, posts,
    authorsRelations: relations(authors, ({ many }) => ({ posts: many(posts) })),
    postsRelations: relations(posts, ({ one }) => ({ author: one(authors, { fields: [posts.authorId], references: [authors.id] }) })),
  };
}

// migrationsOf writes what drizzle-kit generates.
async function migrationsOf(schema) {
  const folder = `migrations-${schema}`;
  await mkdir(`${folder}/meta`, { recursive: true });
  const entries = [
    `CREATE SCHEMA IF NOT EXISTS "${schema}";\n--> statement-breakpoint\nCREATE TYPE "${schema}"."mood" AS ENUM ('happy', 'sad');\n--> statement-breakpoint
    CREATE TABLE "${schema}"."authors" ("id" serial PRIMARY KEY, "key" uuid DEFAULT gen_random_uuid() NOT NULL, "email" text NOT NULL, "tags" text[], "grid" integer[][],
    "about" jsonb, "born" date, "seen" timestamp with time zone, "worth" numeric(12, 2), "big" bigint, "mood" "${schema}"."mood" DEFAULT 'happy', "picture" bytea,
    CONSTRAINT "authors_email_unique" UNIQUE ("email"));`,
    `CREATE TABLE "${schema}"."posts" ("id" serial PRIMARY KEY, "title" text, "authorId" integer NOT NULL REFERENCES "${schema}"."authors" ("id"));`,
  ].map((text, idx) => ({ text, entry: { idx, version: "7", when: 1760000000000 + idx, tag: `000${idx}_step`, breakpoints: true } }));
  await Promise.all(entries.map(({ text, entry }) => writeFile(`${folder}/${entry.tag}.sql`, text)));
  await writeFile(`${folder}/meta/_journal.json`, JSON.stringify({ version: "7", dialect: "postgresql", entries: entries.map(({ entry }) => entry) }));
  return { migrationsFolder: folder, migrationsSchema: schema };
}

const author = {
  email: "a@example.com", tags: ["x", 'y "z\\', "ü,{}"], grid: [[1, 2], [3, 4]], about: { list: [1, null], text: "it's" }, born: new Date("1999-12-31T00:00:00Z"),
  seen: new Date("2024-02-29T12:34:56.789Z"), worth: "1234567890.12", big: 9007199254740993n, mood: "sad", picture: Buffer.from([0, 128, 255]),
};

for (const [name, { open, migrate, sessions }] of Object.entries(drivers)) {
  test(name, async (t) => {
    const schema = `drizzle_${name.replace("-", "_")}`;
    const tables = tablesIn(schema);
    const { authors, posts } = tables;
    const db = open(tables);
    const emails = async () => (await db.select({ email: authors.email }).from(authors).orderBy(asc(authors.email))).map(({ email }) => email);

    await t.test("migrations, of which each is run once", async () => {
      const migrations = await migrationsOf(schema);
      await migrate(db, migrations);
      await migrate(db, migrations);
      assert.equal(await db.$count(sql`${sql.identifier(schema)}.__drizzle_migrations`), 2);
    });

    await t.test("arrays, JSON, dates, numbers and bytes", async () => {
      const [{ id, key, ...kept }] = await db.insert(authors).values(author).returning();
      assert.deepEqual([id, kept], [1, author]);
      assert.match(key, /^[0-9a-f-]{36}$/);
      const [found] = await db.select().from(authors).where(and(arrayContains(authors.tags, ["x"]), eq(sql`${authors.about}->>'text'`, "it's")));
      assert.deepEqual(found, { id, key, ...author });
      assert.deepEqual(await db.select({ nothing: authors.seen }).from(authors).where(eq(authors.id, -1)), []);
    });

    await t.test("relations, upserts and prepared statements", async () => {
      await db.insert(posts).values([{ title: "one", authorId: 1 }, { title: "two", authorId: 1 }]);
      const all = await db.query.authors.findMany({ columns: { email: true }, with: { posts: { columns: { title: true }, orderBy: asc(posts.id) } } });
      assert.deepEqual(all, [{ email: "a@example.com", posts: [{ title: "one" }, { title: "two" }] }]);
      const [again] = await db.insert(authors).values(author).onConflictDoUpdate({ target: authors.email, set: { worth: "2.50" } }).returning({ worth: authors.worth });
      assert.deepEqual(again, { worth: "2.50" });
      const prepared = db.select({ n: count() }).from(posts).where(eq(posts.title, sql.placeholder("title"))).prepare("by_title");
      assert.deepEqual(await Promise.all(["one", "three"].map((title) => prepared.execute({ title }))), [[{ n: 1 }], [{ n: 0 }]]);
    });

    await t.test("errors with code, detail and constraint", async () => {
      const { cause } = await db.insert(authors).values(author).catch((error) => error);
      assert.deepEqual([cause.code, cause.detail, cause.constraint], ["23505", "Key (email)=(a@example.com) already exists.", "authors_email_unique"]);
      await assert.rejects(db.insert(posts).values({ authorId: 99 }), ({ cause }) => cause.code === "23503" && cause.table === "posts");
      await assert.rejects(db.execute(sql`SELECT nothing`), ({ cause }) => cause.code === "42703" && Number(cause.position) === 8);
    });

    if (!sessions) {
      await t.test("batches are transactions", async () => {
        const [one, , found] = await db.batch([
          db.insert(authors).values({ email: "b@example.com" }).returning({ email: authors.email }),
          db.update(authors).set({ mood: "sad" }).where(eq(authors.email, "b@example.com")),
          db.query.authors.findFirst({ columns: { mood: true }, where: eq(authors.email, "b@example.com") }),
        ]);
        assert.deepEqual([one, found], [[{ email: "b@example.com" }], { mood: "sad" }]);
        await assert.rejects(db.batch([db.insert(authors).values({ email: "c@example.com" }), db.insert(authors).values(author)]), { code: "23505" });
        await assert.rejects(db.transaction(async () => {}), /No transactions support/);
        assert.deepEqual(await emails(), ["a@example.com", "b@example.com"]);
      });
      return;
    }
    await t.test("transactions with savepoints", async () => {
      await db.transaction(async (own) => {
        await own.insert(authors).values({ email: "b@example.com" });
        await assert.rejects(own.transaction(async (inner) => {
          await inner.insert(authors).values({ email: "c@example.com" });
          inner.rollback();
        }), { name: "DrizzleError", message: "Rollback" });
        assert.equal(await own.$count(authors), 2);
        assert.deepEqual(await emails(), ["a@example.com"]); // Others see nothing of it.
      }, { isolationLevel: "repeatable read" });
      await assert.rejects(db.transaction(async (own) => {
        await own.insert(authors).values({ email: "d@example.com" });
        await own.insert(authors).values(author);
      }), ({ cause }) => cause.code === "23505");
      await assert.rejects(db.transaction((own) => own.delete(posts), { accessMode: "read only" }), ({ cause }) => cause.code === "25006");
      assert.deepEqual(await emails(), ["a@example.com", "b@example.com"]);
    });
    await db.$client.end();
  });
}
