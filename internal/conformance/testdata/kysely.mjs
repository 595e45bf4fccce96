// What applications do with kysely: over HTTP by kysely-neon, over WebSockets and TCP by kysely's own dialect.
import assert from "node:assert/strict";
import test from "node:test";
import { Pool, neon, neonConfig } from "@neondatabase/serverless";
import { Kysely, PostgresDialect, sql } from "kysely";
import { jsonArrayFrom, jsonBuildObject } from "kysely/helpers/postgres";
import { Migrator } from "kysely/migration";
import { NeonDialect } from "kysely-neon";
import pg from "pg";
import ws from "ws";

const url = process.env.DATABASE_URL;
neonConfig.webSocketConstructor = globalThis.WebSocket ?? ws;

const dialects = {
  http: () => new NeonDialect({ neon: neon(url) }),
  sockets: () => new PostgresDialect({ pool: new Pool({ connectionString: url, max: 3 }) }),
  tcp: () => new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 3 }) }),
};

const migrations = {
  "1_authors": {
    up: (db) => db.schema.createTable("authors").addColumn("id", "serial", (c) => c.primaryKey()).addColumn("email", "text", (c) => c.notNull().unique())
      .addColumn("tags", sql`text[]`).addColumn("about", "jsonb").addColumn("born", "date").addColumn("seen", "timestamptz").addColumn("worth", "numeric(12, 2)")
      .addColumn("big", "bigint").addColumn("picture", "bytea").execute(),
    down: (db) => db.schema.dropTable("authors").execute(),
  },
  "2_posts": {
    up: (db) => db.schema.createTable("posts").addColumn("id", "serial", (c) => c.primaryKey()).addColumn("title", "text")
      .addColumn("author_id", "integer", (c) => c.references("authors.id").notNull()).execute(),
    down: (db) => db.schema.dropTable("posts").execute(),
  },
};

const author = {
  email: "a@example.com", tags: ["x", 'y "z\\', "ü,{}"], about: { list: [1, null], text: "it's" }, seen: new Date("2024-02-29T12:34:56.789Z"),
  worth: "1234567890.12", big: "9007199254740993", picture: Buffer.from([0, 128, 255]),
};

for (const [name, dialect] of Object.entries(dialects)) {
  test(name, async (t) => {
    const whole = new Kysely({ dialect: dialect() });
    const schema = `kysely_${name}`;
    const db = whole.withSchema(schema);
    const emails = async () => (await db.selectFrom("authors").select("email").orderBy("email").execute()).map(({ email }) => email);

    await t.test("migrations", async () => {
      if (name === "http") { // They take a lock, and HTTP has no sessions.
        await whole.schema.createSchema(schema).execute();
        for (const { up } of Object.values(migrations)) {
          await up(db);
        }
        return;
      }
      const own = { getMigrations: async () => Object.fromEntries(Object.entries(migrations).map(([key, { up, down }]) => [key, { up: (on) => up(on.withSchema(schema)), down: (on) => down(on.withSchema(schema)) }])) };
      const migrator = new Migrator({ db: whole, provider: own, migrationTableSchema: schema });
      for (const [step, want] of [["migrateToLatest", 2], ["migrateToLatest", 0], ["migrateDown", 1], ["migrateUp", 1]]) {
        const { error, results } = await migrator[step]();
        assert.deepEqual([error, results.length], [undefined, want], step);
      }
    });

    await t.test("arrays, JSON, dates, numbers and bytes", async () => {
      const kept = await db.insertInto("authors").values({ ...author, born: "1999-12-31" }).returningAll().executeTakeFirstOrThrow();
      const { id, born, ...rest } = kept;
      assert.deepEqual([id, born.getFullYear(), rest], [1, 1999, author]);
      const found = await db.selectFrom("authors").selectAll().where("tags", "@>", sql`${["x"]}`).where(sql`about->>'text'`, "=", "it's").execute();
      assert.deepEqual(found, [kept]);
      assert.deepEqual(await db.selectFrom("authors").select("id").where("id", "in", [5, 6]).execute(), []);
    });

    await t.test("nested JSON, upserts and counts", async () => {
      const { numInsertedOrUpdatedRows } = await db.insertInto("posts").values(["one", "two"].map((title) => ({ title, author_id: 1 }))).executeTakeFirst();
      assert.equal(numInsertedOrUpdatedRows, 2n);
      const nested = await db.selectFrom("authors").select((e) => [
        jsonBuildObject({ email: e.ref("email") }).as("who"),
        jsonArrayFrom(e.selectFrom("posts").select("title").whereRef("author_id", "=", "authors.id").orderBy("posts.id")).as("posts"),
      ]).execute();
      assert.deepEqual(nested, [{ who: { email: "a@example.com" }, posts: [{ title: "one" }, { title: "two" }] }]);
      const again = await db.insertInto("authors").values(author).onConflict((c) => c.column("email").doUpdateSet({ worth: "2.50" })).returning("worth").execute();
      assert.deepEqual(again, [{ worth: "2.50" }]);
      assert.equal((await db.deleteFrom("posts").where("title", "=", "two").executeTakeFirst()).numDeletedRows, 1n);
      const tables = await whole.introspection.getTables();
      assert.deepEqual(tables.filter((table) => table.schema === schema).map((table) => table.name).filter((table) => !table.startsWith("kysely_")).sort(), ["authors", "posts"]);
    });

    await t.test("errors with code, detail and constraint", async () => {
      await assert.rejects(db.insertInto("authors").values(author).execute(), { code: "23505", detail: "Key (email)=(a@example.com) already exists.", constraint: "authors_email_key" });
      await assert.rejects(db.insertInto("posts").values({ author_id: 99 }).execute(), { code: "23503", table: "posts" });
      await assert.rejects(sql`SELECT nothing`.execute(db), { code: "42703", position: "8" });
    });

    await t.test("transactions", async () => {
      if (name === "http") {
        await assert.rejects(db.transaction().execute(async () => {}), /doesn't support interactive transactions/);
        return;
      }
      await db.transaction().setIsolationLevel("serializable").execute(async (own) => {
        await own.insertInto("authors").values({ email: "b@example.com" }).execute();
        assert.deepEqual(await emails(), ["a@example.com"]); // Others see nothing of it.
      });
      await assert.rejects(db.transaction().execute(async (own) => {
        await own.insertInto("authors").values({ email: "c@example.com" }).execute();
        await own.insertInto("authors").values(author).execute();
      }), { code: "23505" });
      const own = await db.startTransaction().execute();
      await own.insertInto("authors").values({ email: "d@example.com" }).execute();
      const point = await own.savepoint("before").execute();
      await point.insertInto("authors").values({ email: "e@example.com" }).execute();
      await (await point.rollbackToSavepoint("before").execute()).commit().execute();
      await assert.rejects(db.transaction().setAccessMode("read only").execute((own) => own.deleteFrom("posts").execute()), { code: "25006" });
      assert.deepEqual(await emails(), ["a@example.com", "b@example.com", "d@example.com"]);
    });
    await whole.destroy();
  });
}
