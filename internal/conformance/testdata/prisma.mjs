// What applications do with Prisma's client, as `prisma generate` makes it of schema.prisma, by Neon's two adapters.
import assert from "node:assert/strict";
import test from "node:test";
import { neonConfig } from "@neondatabase/serverless";
import { PrismaNeon, PrismaNeonHttp } from "@prisma/adapter-neon";
import pg from "pg";
import ws from "ws";
import client from "./prisma-client/index.js";

const { Prisma, PrismaClient } = client;
const url = process.env.DATABASE_URL;
neonConfig.webSocketConstructor = globalThis.WebSocket ?? ws;

const author = {
  email: "a@example.com", tags: ["x", 'y "z\\', "ü,{}"], about: { list: [1, null], text: "it's" }, born: new Date("1999-12-31T00:00:00Z"),
  seen: new Date("2024-02-29T12:34:56.789Z"), worth: new Prisma.Decimal("1234567890.12"), big: 9007199254740993n, mood: "sad", picture: Uint8Array.of(0, 128, 255),
};

// What `prisma migrate` would create, which takes a program that isn't in npm's packages.
const tables = `
CREATE TYPE "Mood" AS ENUM ('happy', 'sad');
CREATE TABLE "Author" ("id" SERIAL PRIMARY KEY, "key" UUID NOT NULL, "email" TEXT NOT NULL, "tags" TEXT[], "about" JSONB, "born" DATE, "seen" TIMESTAMPTZ(3),
  "worth" DECIMAL(12,2), "big" BIGINT, "mood" "Mood" NOT NULL DEFAULT 'happy', "picture" BYTEA);
CREATE UNIQUE INDEX "Author_email_key" ON "Author"("email");
CREATE TABLE "Post" ("id" SERIAL PRIMARY KEY, "title" TEXT, "authorId" INTEGER NOT NULL,
  CONSTRAINT "Post_authorId_fkey" FOREIGN KEY ("authorId") REFERENCES "Author"("id") ON DELETE RESTRICT ON UPDATE CASCADE);`;

// A database of its own for each, as Prisma's tables are in "public".
async function databaseOf(name) {
  const address = new URL(url);
  for (const statement of [`CREATE DATABASE ${name}`, tables]) {
    const session = new pg.Client(address.href);
    await session.connect();
    await session.query(statement);
    await session.end();
    address.pathname = name;
  }
  return address.href;
}

const adapters = {
  sockets: (address) => new PrismaNeon({ connectionString: address, max: 3 }),
  http: (address) => new PrismaNeonHttp(address, {}),
};

for (const [name, adapter] of Object.entries(adapters)) {
  test(name, async (t) => {
    const db = new PrismaClient({ adapter: adapter(await databaseOf(`prisma_${name}`)) });
    const emails = async () => (await db.author.findMany({ select: { email: true }, orderBy: { email: "asc" } })).map(({ email }) => email);

    await t.test("arrays, JSON, dates, numbers and bytes", async () => {
      const { id, key, ...kept } = await db.author.create({ data: author });
      assert.deepEqual([id, kept], [1, author]);
      assert.match(key, /^[0-9a-f-]{36}$/);
      const where = { tags: { has: "x" }, about: { path: ["text"], equals: "it's" }, seen: { lte: author.seen }, worth: { gt: 1 } };
      assert.deepEqual(await db.author.findFirst({ where }), { id, key, ...author });
      assert.equal(await db.author.findUnique({ where: { id: 99 } }), null);
    });

    await t.test("relations, pages, groups and SQL", async () => {
      for (const title of ["one", "two"]) {
        await db.post.create({ data: { title, authorId: 1 } });
      }
      const [{ posts, _count }] = await db.author.findMany({ include: { posts: { orderBy: { id: "desc" }, take: 1 }, _count: { select: { posts: true } } } });
      assert.deepEqual([posts.map(({ title }) => title), _count], [["two"], { posts: 2 }]);
      assert.deepEqual(await db.post.groupBy({ by: ["authorId"], _count: true }), [{ authorId: 1, _count: 2 }]);
      assert.deepEqual(await db.$queryRaw`SELECT title, now() - now() < interval '1s' AS soon FROM "Post" WHERE id = ${1}`, [{ title: "one", soon: true }]);
      assert.equal(await db.$executeRaw`UPDATE "Post" SET title = ${"three"} WHERE id = ANY(${[1, 2]})`, 2);
      assert.equal((await db.author.findUnique({ where: { email: author.email } }).posts()).length, 2);
    });

    await t.test("errors", async () => {
      // The adapter for HTTP leaves PostgreSQL's codes as they are.
      const [unique, foreign] = name === "http" ? ["23505", "23503"] : ["P2002", "P2003"];
      const twice = await db.author.create({ data: author }).catch((error) => error);
      assert.deepEqual([twice.code, twice.meta.modelName], [unique, "Author"]);
      await assert.rejects(db.post.create({ data: { authorId: 99 } }), { code: foreign });
      await assert.rejects(db.$queryRaw`SELECT nothing`, /column "nothing" does not exist|42703/);
      await assert.rejects(db.author.findFirstOrThrow({ where: { id: 99 } }), { code: "P2025" });
    });

    await t.test("transactions", async () => {
      if (name === "http") {
        await assert.rejects(db.$transaction(async () => {}), /Transactions are not supported in HTTP mode/);
        return;
      }
      await db.$transaction(async (own) => {
        await own.author.create({ data: { email: "b@example.com", posts: { create: [{ title: "four" }] } } });
        assert.deepEqual(await emails(), ["a@example.com"]); // Others see nothing of it.
      }, { isolationLevel: "Serializable" });
      await assert.rejects(db.$transaction([db.author.create({ data: { email: "c@example.com" } }), db.author.create({ data: author })]), { code: "P2002" });
      await assert.rejects(db.$transaction(async (own) => {
        await own.author.create({ data: { email: "d@example.com" } });
        throw new Error("on second thoughts");
      }), /on second thoughts/);
      const all = await db.author.createManyAndReturn({ data: ["e", "f"].map((email) => ({ email })), select: { email: true } });
      assert.deepEqual(all, [{ email: "e" }, { email: "f" }]);
      const { worth } = await db.author.upsert({ where: { email: author.email }, create: author, update: { worth: { increment: 1 } } });
      assert.equal(worth.toString(), "1234567891.12");
      assert.deepEqual(await emails(), ["a@example.com", "b@example.com", "e", "f"]);
    });
    await db.$disconnect();
  });
}
