// An application on Neon: npm install hono @neondatabase/serverless drizzle-orm
import { neon } from "@neondatabase/serverless";
import { desc, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/neon-http";
import { pgTable, serial, text } from "drizzle-orm/pg-core";
import { Hono } from "hono";

const notes = pgTable("notes", { id: serial().primaryKey(), text: text().notNull() });
const db = drizzle({ client: neon(process.env.DATABASE_URL) });

export const migrate = () => db.execute(sql`CREATE TABLE IF NOT EXISTS notes (id serial PRIMARY KEY, text text NOT NULL)`);

export const app = new Hono()
  .get("/notes", async (c) => c.json(await db.select().from(notes).orderBy(desc(notes.id))))
  .post("/notes", async (c) => c.json((await db.insert(notes).values(await c.req.json()).returning())[0], 201));
